// Builds, runs and monitors the two operators.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { root } from "../../../scripts/lib/run.mjs";
import { createCgroup } from "../../lib/cgroup.ts";
import { buildGo } from "../../lib/go.ts";
import { type ProcessUsage, processUsage, started, threadSeconds } from "../../lib/process.ts";
import { deployment } from "./deployment.ts";
import { now } from "./servers.ts";

const here = join(root, "bench/runtime");

// The same banner as in src/tasks/bundle.ts.
const banner = `import { createRequire as bundleCreateRequire } from "node:module";
import { dirname as bundleDirname } from "node:path";
import { fileURLToPath as bundleFileURLToPath } from "node:url";
const require = bundleCreateRequire(import.meta.url);
const __filename = bundleFileURLToPath(import.meta.url);
const __dirname = bundleDirname(__filename);`;

/** An operator to measure. */
export interface Operator {
  readonly name: string;
  /** The command, with the arguments of Node. */
  readonly argv: readonly [string, ...string[]];
  /** The limit of its container. Go's runtime ignores such a limit, so the operator in Go has none. */
  readonly memoryMiB?: number;
}

/** Bundles the TypeScript operator, with plugins of esbuild. It runs as in the scaffolded Deployment. */
export async function buildOurs(scratch: string, plugins: Plugin[] = []): Promise<Operator> {
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
export async function buildTheirs(scratch: string): Promise<Operator | undefined> {
  const binary = await buildGo(join(here, "go"), join(scratch, "theirs"));
  return binary === undefined ? undefined : { name: "Go", argv: [binary] };
}

/** A running operator. */
export interface RunningOperator {
  /** The time of its start, by `now()` of servers.ts. */
  readonly startedAt: number;
  readonly pid: number;
  /** Resolves to the numbers in the first line that begins with `word`. Rejects if the operator ends before. */
  said(word: string): Promise<number[]>;
  /** Rejects if the operator ends before the promise is settled. */
  during<Result>(promise: Promise<Result>): Promise<Result>;
  usage(): ProcessUsage;
  threadSeconds(): number;
  stop(): Promise<void>;
}

/**
 * Starts an operator with its output in `<scratch>/<name>.log`, within its memory limit if this machine has a cgroup that can
 * be written.
 */
export function startOperator(
  operator: Operator,
  { kubeconfig, scratch, args = [] }: { kubeconfig: string; scratch: string; args?: readonly string[] },
): RunningOperator {
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
  const pid = started(child);
  const waiting = new Map<string, (numbers: number[]) => void>();
  let stopping = false;
  let output = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    for (const [word, resolve] of waiting) {
      const numbers = numbersOf(word);
      if (numbers) resolve(numbers);
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
  function numbersOf(word: string): number[] | undefined {
    const match = new RegExp(`^${word} (.*)\n`, "m").exec(output);
    return match?.[1]?.split(" ").map(Number);
  }

  return {
    startedAt,
    pid,
    said: (word) =>
      Promise.race([
        new Promise<number[]>((resolve) => {
          const numbers = numbersOf(word);
          if (numbers) resolve(numbers);
          else waiting.set(word, resolve);
        }),
        exited.then(() => Promise.reject(new Error(`the operator ${operator.name} ended without saying "${word}"`))),
      ]),
    during: (promise) => Promise.race([promise, exited.then(() => promise)]),
    usage: () => processUsage(pid),
    threadSeconds: () => threadSeconds(pid),
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
