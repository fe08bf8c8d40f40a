// Suites of controller-runtime that run against etcd and kube-apiserver also pass on the embedded API server's executables.
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { testServers } from "../../scripts/lib/test-servers.mjs";
import { checkout } from "../../scripts/test-support/scaffold.ts";
import { Suites } from "./suites.ts";

const minutes = 60_000;
let suites: Suites;
let embedded: string;
let binaries: string;

beforeAll(async () => {
  suites = await Suites.fetch();
  const { stdout } = await must(process.execPath, [`${checkout}/apiserver/bin/kubewright-apiserver.js`, "assets"]);
  embedded = stdout.trim();
  binaries = (await testServers()) as string;
}, 20 * minutes);

afterAll(() => {
  suites?.remove();
  if (embedded !== undefined) rmSync(embedded, { recursive: true, force: true });
});

const packages = [
  "pkg/client",
  "pkg/client/apiutil",
  "pkg/controller/controllerutil",
  "pkg/cache",
  "pkg/cluster",
  "pkg/manager",
  "pkg/manager/internal/integration",
  "pkg/controller",
  "pkg/builder",
  "pkg/handler",
  "pkg/internal/controller",
  "pkg/internal/recorder",
  "pkg/metrics/filters",
  "pkg/reconcile",
  "pkg/source",
  "pkg/webhook",
];

it.each(packages)(
  "%s passes on the embedded server where it passes on the real one",
  async (path) => {
    const real = await suites.run(path, binaries);
    const own = await suites.run(path, embedded);
    const passed = [...real].filter(([, state]) => state === "passed").map(([name]) => name);
    process.stdout.write(`${path}: ${passed.length} specs pass on the real server\n`);
    expect(passed.length).toBeGreaterThan(0);
    expect(passed.filter((name) => own.get(name) !== "passed")).toEqual([]);
  },
  20 * minutes,
);
