// Runs kubectl's own command tests with kube-controller-manager and the embedded API server's executables.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { testServers } from "../../scripts/lib/test-servers.mjs";
import { freePort } from "../../scripts/test-support/free-port.ts";
import { apiserverProgram, checkout } from "../../scripts/test-support/scaffold.ts";
import { copyModule } from "./go-suites.ts";

const minutes = 60_000;
const build = join(checkout, "scripts/test-servers/1.37");
let sources: string;
let binaries: string;

beforeAll(async () => {
  binaries = mkdtempSync(join(tmpdir(), "kubewright-kubectl-"));
  await must(process.execPath, [apiserverProgram, "assets", binaries]);
  symlinkSync(
    join((await testServers()) as string, "kube-controller-manager"),
    join(binaries, "kube-controller-manager"),
  );
  const { stdout } = await must("go", ["list", "-m", "k8s.io/kubernetes"], { cwd: build });
  const version = stdout.trim().split(" ")[1] as string;
  const ldflags = `-s -w -X k8s.io/component-base/version.gitVersion=${version}`;
  for (const name of ["kubectl", "kubectl-convert"]) {
    const args = ["build", "-trimpath", "-ldflags", ldflags, "-o", join(binaries, name)];
    await must("go", [...args, `k8s.io/kubernetes/cmd/${name}`], {
      cwd: build,
      env: { ...process.env, CGO_ENABLED: "0" },
    });
  }
  sources = await copyModule(`k8s.io/kubernetes@${version}`);
  // Files of Go modules aren't executable, and tests must not read from the network.
  for (const path of readdirSync(join(sources, "test/fixtures/pkg/kubectl/plugins"), { recursive: true }) as string[]) {
    if (/kubectl-[\w-]+$/.test(path)) chmodSync(join(sources, "test/fixtures/pkg/kubectl/plugins", path), 0o755);
  }
  const generic = join(sources, "test/cmd/generic-resources.sh");
  const remote = "https://raw.githubusercontent.com/kubernetes/kubernetes/master/";
  writeFileSync(generic, readFileSync(generic, "utf8").replaceAll(remote, ""));
}, 30 * minutes);

afterAll(() => {
  for (const directory of [sources, binaries])
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

it(
  "kubectl's tests of all command groups have the same results as with the real servers",
  async () => {
    const ports = (await Promise.all([freePort(), freePort(), freePort()])).map(String);
    const script = join(checkout, "conformance/api-suites/kubectl-commands.sh");
    const { code, stdout, stderr } = await run("bash", [script, sources, binaries, ...ports]);
    const output = stdout + stderr;
    const groups = [...output.matchAll(/^Recording: (?!record_command_canary)(\w+)/gm)].map(([, name]) => name);
    const failed = [...output.matchAll(/^Error when running (\w+)/gm)].map(([, name]) => name);
    process.stdout.write(`${groups.length} groups, ${output.split("Successful").length - 1} assertions\n`);
    expect(failed, output.slice(-20_000)).toEqual([]);
    expect(code, output.slice(-20_000)).toBe(0);
    expect(groups.length).toBeGreaterThan(70);
  },
  40 * minutes,
);
