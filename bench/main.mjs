// All benchmarks in one command: npm run bench [-- --quick] [-- --only start-up,generate] [-- --out FILE]
// The results go to docs/reference/benchmarks.md, those of a short run (--quick) to a copy of it in the system's temporary directory.
// Exits 1 when a part could not be measured; limits that are missed stand on the page.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root, since } from "../hack/lib/run.mjs";
import { testServers } from "../hack/lib/test-servers.mjs";
import { machineFacts } from "./lib/machine.mjs";
import { render, withResults } from "./lib/page.mjs";
import { parts } from "./parts.mjs";

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: parts.map(({ name }) => name).join(",") },
    out: { type: "string" },
  },
});
const chosen = flags.only.split(",");
const unknown = chosen.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) throw new Error(`--only ${unknown}: there are ${parts.map(({ name }) => name).join(", ")}`);
if (!existsSync(join(root, "dist"))) throw new Error("nothing is built here: npm run build comes first");

const published = join(root, "docs/reference/benchmarks.md");
const out = resolve(flags.out ?? (flags.quick ? join(tmpdir(), "kubewright-benchmarks.md") : published));
const scratch = mkdtempSync(join(tmpdir(), "kubewright-bench-"));
const quickMinutes = 10;
const say = (text) => process.stderr.write(`${text}\n`);

/** The reference generator: CONTROLLER_GEN, PATH, or installed at the pinned version where there is Go; else undefined. */
function controllerGen() {
  if (process.env.CONTROLLER_GEN) return process.env.CONTROLLER_GEN;
  const places = (process.env.PATH ?? "").split(delimiter).map((place) => join(place, "controller-gen"));
  const found = places.find((path) => existsSync(path));
  if (found || spawnSync("go", ["version"]).status !== 0) return found;
  const { controllerGen: version } = JSON.parse(readFileSync(join(root, "hack/crd-parity/modules.json"), "utf8"));
  const bin = join(root, "node_modules/.cache/kubewright-bench", `controller-gen-${version}`);
  const path = join(bin, "controller-gen");
  if (existsSync(path)) return path;
  say(`Installing controller-gen ${version} …`);
  mkdirSync(bin, { recursive: true });
  const { status } = spawnSync("go", ["install", `sigs.k8s.io/controller-tools/cmd/controller-gen@${version}`], {
    env: { ...process.env, GOBIN: bin },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return status === 0 ? path : undefined;
}

/** Which of a part's needs this machine doesn't meet. */
function lacking({ needs }, servers) {
  const met = { linux: process.platform === "linux", servers: servers !== undefined };
  const names = { linux: "Linux (/proc)", servers: "etcd and kube-apiserver" };
  return needs.filter((need) => !met[need]).map((need) => names[need]);
}

/** Runs a part to its end or its time limit, and whoever it has started. Resolves to why it ended badly, if it did. */
function measure(part, env) {
  const minutes = flags.quick ? quickMinutes : part.minutes;
  const report = join(scratch, `${part.name}.json`);
  const args = [join(root, part.program), ...part[flags.quick ? "quick" : "full"], "--json", report];
  const start = performance.now();
  say(`\n${part.name}: at most ${minutes} minutes`);
  return new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
      detached: true,
    });
    let why;
    const end = (reason) => {
      why ??= reason;
      signalGroup(child, "SIGTERM");
      setTimeout(() => signalGroup(child, "SIGKILL"), 10_000).unref();
    };
    const limit = setTimeout(() => end(`it took more than ${minutes} minutes`), minutes * 60_000);
    const beat = setInterval(() => say(`${part.name}: ${since(start)} …`), 30_000);
    const stop = () => end("interrupted");
    process.once("SIGINT", stop).once("SIGTERM", stop);
    child.on("error", (error) => end(error.message));
    child.on("close", (code) => {
      clearTimeout(limit);
      clearInterval(beat);
      process.off("SIGINT", stop).off("SIGTERM", stop);
      // Servers that outlived their part would be in the way of the next one.
      signalGroup(child, "SIGKILL");
      const found = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
      if (found === undefined) why ??= `it ended with ${code} and told nothing`;
      // A limit that is missed ends a part with 1, too.
      else if (code !== 0 && found.missed.length === 0) why ??= `it ended with ${code}`;
      say(`${part.name}: ${why ?? "done"}, after ${since(start)}`);
      done({ found, why });
    });
  });
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}

try {
  let page = readFileSync(published, "utf8");
  const wanted = parts.filter(({ name }) => chosen.includes(name));
  const servers = wanted.some(({ needs }) => needs.includes("servers")) ? await testServers() : undefined;
  const generator = controllerGen();
  const env = {
    ...(servers === undefined ? {} : { KUBEBUILDER_ASSETS: servers }),
    ...(generator === undefined ? {} : { CONTROLLER_GEN: generator }),
  };
  const failed = [];
  for (const part of wanted) {
    const lacks = lacking(part, servers);
    const facts = machineFacts();
    const { found, why } =
      lacks.length > 0 ? { why: `left out, it needs ${lacks.join(" and ")}` } : await measure(part, env);
    if (why !== undefined) failed.push(`${part.name}: ${why}`);
    if (why === "interrupted") break;
    if (found === undefined) continue;
    const date = new Date().toISOString().slice(0, 10);
    page = withResults(page, part.name, render(found, { date, facts, quick: flags.quick, cut: why }));
    writeFileSync(out, page);
  }
  say(`\n${out}`);
  for (const line of failed) say(`not measured: ${line}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
