// Measures the start of a user's image: the time from the start of the bundled Game operator until both probes succeed, and
// its memory when idle. Runs in turn with `node -e 0` and an idle Node process. `node bench/image.mjs [--runs N]` needs
// Linux and KUBEBUILDER_ASSETS. Exits 1 if the operator takes more than 300 ms longer than Node's start, both at their
// fastest.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { get } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { median } from "../scripts/lib/pair.mjs";
import { must, root } from "../scripts/lib/run.mjs";
import { processUsage } from "./lib/process.mjs";
import { mebibytes, missed, ms, table } from "./lib/results.mjs";

const limit = 300;
const settle = 3000;
const runsAt = process.argv.indexOf("--runs");
const runs = runsAt > 0 ? Number(process.argv[runsAt + 1]) : 9;
const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
const project = join(scratch, "project");
const empty = join(scratch, "empty");
const environment = new TestEnvironment({ crdDirectoryPaths: [join(root, "e2e/game/testdata/crd.yaml")] });
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Whether a probe succeeds; `false` also if the server doesn't respond. */
const isOk = (port, path) =>
  new Promise((resolve) => {
    get({ port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on("error", () => resolve(false));
  });

/** Measures the milliseconds until the command meets the condition `until`, and its memory when it is idle after that. */
async function measure(args, until) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: empty,
    env: { KUBECONFIG: environment.kubeconfigPath },
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  try {
    await until(exited, child);
    const took = performance.now() - startedAt;
    if (child.exitCode !== null) return { took };
    const cpu = processUsage(child.pid).cpuSeconds * 1000;
    await sleep(settle);
    return { took, cpu, rss: processUsage(child.pid).rssMiB };
  } finally {
    child.kill("SIGTERM");
    await exited;
  }
}

async function ready() {
  const port = await freePort();
  const flags = [`--health-probe-bind-address=127.0.0.1:${port}`];
  return measure([join(project, "dist/main.js"), ...flags], async (_exited, child) => {
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
  await must(process.execPath, [join(root, "bin/scaffold.js"), "build", "--bundle-only"], { cwd: project, show: true });
  await environment.start();
  const results = { ours: [], node: [], idle: [] };
  await ready();
  for (let run = 0; run < runs; run++) {
    results.ours.push(await ready());
    results.node.push(await measure(["-e", "0"], (exited) => exited));
    results.idle.push(await measure(["-e", "setInterval(() => {}, 1e9)"], () => sleep(200)));
  }
  const least = (name, key) => Math.min(...results[name].map((result) => result[key]));
  const middle = (name, key) => median(results[name].map((result) => result[key]));
  const more = least("ours", "took") - least("node", "took");
  console.log(`Node ${process.version}, ${runs} runs of each in turn\n`);
  console.log(
    `start to ready (fastest, median)  ${least("ours", "took").toFixed(0)} ms, ${middle("ours", "took").toFixed(0)} ms`,
  );
  console.log(
    `node -e 0 (fastest, median)       ${least("node", "took").toFixed(0)} ms, ${middle("node", "took").toFixed(0)} ms`,
  );
  console.log(`more at the fastest               ${more.toFixed(0)} ms (limit ${limit} ms)`);
  console.log(`CPU until ready (least)           ${least("ours", "cpu").toFixed(0)} ms`);
  console.log(
    `idle memory (median)              ${middle("ours", "rss").toFixed(0)} MiB; Node alone ${middle("idle", "rss").toFixed(0)} MiB`,
  );
  const times = (name) => [ms(least(name, "took")), ms(middle(name, "took"))];
  table(
    ["", "fastest", "median", "least CPU until then", "memory at idle"],
    [
      ["start until both probes answer", ...times("ours"), ms(least("ours", "cpu")), mebibytes(middle("ours", "rss"))],
      ["`node -e 0`", ...times("node"), "", ""],
      ["a Node that does nothing", "", "", "", mebibytes(middle("idle", "rss"))],
    ],
  );
  if (more > limit) {
    missed(`ready takes ${more.toFixed(0)} ms more than node -e 0, both at their fastest: ${limit} are allowed`);
    process.exitCode = 1;
  }
} finally {
  await environment.stop();
  rmSync(scratch, { recursive: true, force: true });
}
