// Builds, runs and monitors the two operators.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root, run } from "../../../scripts/lib/run.mjs";
import { processUsage, threadSeconds } from "../../lib/process.mjs";
import { createCgroup } from "../../security/lib/cgroup.mjs";
import { deployment } from "./deployment.mjs";
import { now } from "./servers.mjs";

const here = join(root, "bench/runtime");

// The same banner as in src/tasks/bundle.ts.
const banner = `import { createRequire as bundleCreateRequire } from "node:module";
import { dirname as bundleDirname } from "node:path";
import { fileURLToPath as bundleFileURLToPath } from "node:url";
const require = bundleCreateRequire(import.meta.url);
const __filename = bundleFileURLToPath(import.meta.url);
const __dirname = bundleDirname(__filename);`;

/**
 * Bundles the TypeScript operator, with plugins of esbuild. Returns its command, with the arguments of Node and the memory
 * limit of the scaffolded Deployment. Go's runtime ignores such a limit, so the operator in Go has none.
 */
export async function buildOurs(scratch, plugins = []) {
  const directory = join(scratch, "ours");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }\n');
  const outfile = join(directory, "main.js");
  await build({
    absWorkingDir: join(here, "operator"),
    entryPoints: ["src/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
    minifyWhitespace: true,
    lineLimit: 120,
    banner: { js: banner },
    plugins,
  });
  const { nodeArguments, memoryMiB } = deployment();
  return { name: "ours", argv: [process.execPath, ...nodeArguments, outfile], memoryMiB };
}

/** Builds the Go operator; `undefined` without Go. */
export async function buildTheirs(scratch) {
  const binary = join(scratch, "theirs");
  const { code, output } = await run("go", ["build", "-o", binary, "."], { cwd: join(here, "go") }).catch((error) => {
    if (error.code === "ENOENT") return { code: "none" };
    throw error;
  });
  if (code === "none") return undefined;
  if (code !== 0) throw new Error(`go build ended with ${code}\n${output}`);
  return { name: "Go", argv: [binary] };
}

/**
 * Starts an operator with its output in `<scratch>/<name>.log`, within its memory limit if this machine has a cgroup that can
 * be written.
 */
export function startOperator(operator, { kubeconfig, scratch, args = [] }) {
  const { memoryMiB } = operator;
  const cgroup = memoryMiB ? createCgroup(`kubewright-bench-${process.pid}`, { memoryMiB }) : undefined;
  // The shell enters the cgroup and then becomes the operator: Node reads the limit when it starts.
  const enter = (cgroup?.files ?? []).map((file) => `echo $$ > ${file} && `).join("");
  const log = createWriteStream(join(scratch, `${operator.name}.log`));
  const startedAt = now();
  const child = spawn("sh", ["-c", `${enter}exec "$@"`, "sh", ...operator.argv, ...args], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const waiting = new Map();
  let stopping = false;
  let output = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    for (const [word, resolve] of waiting) {
      const line = lineOf(word);
      if (line) resolve(line);
    }
  });
  child.stderr.on("data", (chunk) => {
    stderr = (stderr + chunk).slice(-4000);
    log.write(chunk);
  });
  const exited = once(child, "exit").then(([code]) => {
    if (!stopping) throw new Error(`the operator ${operator.name} ended by itself with ${code}\n${stderr}`);
  });
  exited.catch(() => {});

  /** Returns the numbers in the output line that begins with `word`. */
  function lineOf(word) {
    const match = new RegExp(`^${word} (.*)\n`, "m").exec(output);
    return match?.[1].split(" ").map(Number);
  }

  return {
    startedAt,
    pid: child.pid,
    /** Resolves to the numbers of such a line. Rejects if the operator ends before. */
    said: (word) =>
      Promise.race([
        new Promise((resolve) => (lineOf(word) ? resolve(lineOf(word)) : waiting.set(word, resolve))),
        exited.then(() => Promise.reject(new Error(`the operator ${operator.name} ended without saying "${word}"`))),
      ]),
    /** Rejects if the operator ends before the promise is settled. */
    during: (promise) => Promise.race([promise, exited.then(() => promise)]),
    usage: () => processUsage(child.pid),
    threadSeconds: () => threadSeconds(child.pid),
    async stop() {
      stopping = true;
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await exited.catch(() => {});
      clearTimeout(late);
      cgroup?.remove();
      log.end();
    },
  };
}
