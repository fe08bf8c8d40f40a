// Measures the start of a user's image: the time from the start of the bundled Game operator until both probes succeed, and
// its memory when idle, in turn with `node -e 0` and an idle Node process:
//   node --import tsx bench/image.ts [--runs N]
// Needs Linux and KUBEBUILDER_ASSETS. Exits 1 if the operator takes more than 300 ms longer than Node's start, both at their
// fastest.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { root } from "../scripts/lib/run.mjs";
import { freePort } from "../scripts/test-support/free-port.ts";
import { scaffold } from "../scripts/test-support/scaffold.ts";
import { processUsage, started } from "./lib/process.ts";
import { mebibytes, missed, ms, table } from "./lib/results.ts";
import { median } from "./lib/statistics.ts";

const limit = 300;
const settle = 3000;
const { values: flags } = parseArgs({
  options: { runs: { type: "string", default: "9" }, json: { type: "string" } },
});
const runs = Number(flags.runs);
const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
const project = join(scratch, "project");
const empty = join(scratch, "empty");
const environment = new TestEnvironment({
  crdDirectoryPaths: [join(root, "e2e/game/testdata/crd.yaml")],
  controlPlaneStartTimeout: 60_000,
});

/** A measured start: milliseconds until a condition is met, CPU time until then, and memory when idle. */
interface Start {
  readonly took: number;
  readonly cpu: number;
  readonly rss: number;
}

/** Whether a probe succeeds; `false` also if the server doesn't respond. */
const isOk = (port: number, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    get({ port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on("error", () => resolve(false));
  });

/** Starts a command. Measures it until it meets the condition `until`, and when it is idle after that. */
async function measure(args: readonly string[], until: (child: ChildProcess) => Promise<unknown>): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: empty,
    env: { KUBECONFIG: environment.kubeconfigPath },
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  try {
    await until(child);
    const took = performance.now() - startedAt;
    const pid = started(child);
    const cpu = processUsage(pid).cpuSeconds * 1000;
    await sleep(settle);
    return { took, cpu, rss: processUsage(pid).rssMiB };
  } finally {
    child.kill("SIGTERM");
    await exited;
  }
}

/** Measures Node's start and end. Resolves to milliseconds. */
async function nothing(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["-e", "0"], { cwd: empty, env: {}, stdio: "ignore" });
  await once(child, "exit");
  return performance.now() - startedAt;
}

async function ready(): Promise<Start> {
  const port = await freePort();
  const args = [`--health-probe-bind-address=127.0.0.1:${port}`];
  return measure([join(project, "dist/main.js"), ...args], async (child) => {
    for (const path of ["/healthz", "/readyz"]) {
      while (!(await isOk(port, path))) {
        if (child.exitCode !== null) throw new Error(`the operator ended with ${child.exitCode}`);
        await sleep(2);
      }
    }
  });
}

try {
  mkdirSync(empty);
  cpSync(join(root, "testdata/projects/game"), project, { recursive: true });
  cpSync(join(root, "examples/game"), project, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  await scaffold(project, "build", "--bundle-only");
  await environment.start();
  const ours: Start[] = [];
  const idle: Start[] = [];
  const node: number[] = [];
  await ready();
  for (let run = 0; run < runs; run++) {
    ours.push(await ready());
    node.push(await nothing());
    idle.push(await measure(["-e", "setInterval(() => {}, 1e9)"], () => sleep(200)));
  }
  const took = ours.map(({ took }) => took);
  const leastCpu = Math.min(...ours.map(({ cpu }) => cpu));
  const memory = median(ours.map(({ rss }) => rss));
  const idleMemory = median(idle.map(({ rss }) => rss));
  const more = Math.min(...took) - Math.min(...node);
  const times = (values: readonly number[]): [string, string] => [ms(Math.min(...values)), ms(median(values))];
  console.log(`Node ${process.version}, ${runs} runs of each in turn\n`);
  console.log(`start to ready (fastest, median)  ${times(took).join(", ")}`);
  console.log(`node -e 0 (fastest, median)       ${times(node).join(", ")}`);
  console.log(`more at the fastest               ${ms(more)} (limit ${ms(limit)})`);
  console.log(`CPU until ready (least)           ${ms(leastCpu)}`);
  console.log(`idle memory (median)              ${mebibytes(memory)}; Node alone ${mebibytes(idleMemory)}`);
  table(
    ["", "fastest", "median", "least CPU until then", "memory at idle"],
    [
      ["start until both probes answer", ...times(took), ms(leastCpu), mebibytes(memory)],
      ["`node -e 0`", ...times(node), "", ""],
      ["a Node that does nothing", "", "", "", mebibytes(idleMemory)],
    ],
  );
  if (more > limit) {
    missed(`ready takes ${more.toFixed(0)} ms more than node -e 0, both at their fastest: ${limit} are allowed`);
  }
} finally {
  await environment.stop();
  rmSync(scratch, { recursive: true, force: true });
}
