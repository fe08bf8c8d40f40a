// The test suite of apiextensions-apiserver, too, passes on the embedded API server's executables where it passes on etcd and
// kube-apiserver.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { testServers } from "../../scripts/lib/test-servers.mjs";
import { checkout } from "../../scripts/test-support/scaffold.ts";
import { ApiExtensionsSuite } from "./apiextensions.ts";

const minutes = 60_000;
let suite: ApiExtensionsSuite;
let embedded: string;
let binaries: string;

beforeAll(async () => {
  suite = await ApiExtensionsSuite.fetch();
  const { stdout } = await must(process.execPath, [`${checkout}/apiserver/bin/kubewright-apiserver.js`, "assets"]);
  embedded = stdout.trim();
  binaries = (await testServers()) as string;
}, 20 * minutes);

afterAll(() => {
  suite?.remove();
  if (embedded !== undefined) rmSync(embedded, { recursive: true, force: true });
});

it.each(["test/integration", "test/integration/conversion"])(
  "%s passes on the embedded server where it passes on the real one",
  async (path) => {
    const real = await suite.run(path, binaries);
    const own = await suite.run(path, embedded);
    const passed = [...real].filter(([, state]) => state === "passed").map(([name]) => name);
    process.stdout.write(`${path}: ${passed.length} tests pass on the real server\n`);
    expect(passed.length).toBeGreaterThan(100);
    expect(passed.filter((name) => own.get(name) !== "passed")).toEqual([]);
  },
  60 * minutes,
);
