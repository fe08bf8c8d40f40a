// Measures whole processes in turn: A B A B …, so that changes in the machine's speed affect both equally.
import { spawn } from "node:child_process";
import { median } from "./statistics.ts";

/** A command to measure. */
export interface Measured {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called before each run. */
  readonly before?: () => void;
}

/** Milliseconds of two commands. */
export interface PairTimes {
  /** The medians of both, and of the differences a - b, pair by pair. */
  readonly a: number;
  readonly b: number;
  readonly more: number;
  /** The median, minimum and maximum of the ratios a/b, pair by pair. */
  readonly ratio: number;
  readonly min: number;
  readonly max: number;
  /** The minima of both, which a busy machine affects least. */
  readonly fastest: { readonly a: number; readonly b: number };
}

/** Runs a command once, after `before()`. Resolves to the wall-clock milliseconds. A failing command fails the benchmark. */
function once({ command, args, cwd, env, before }: Measured): Promise<number> {
  before?.();
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(performance.now() - start);
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}\n${stderr}`));
    });
  });
}

/** Times two commands in turn, after one warm-up each. */
export async function pair(a: Measured, b: Measured, runs: number): Promise<PairTimes> {
  await once(a);
  await once(b);
  const times: [number, number][] = [];
  for (let run = 0; run < runs; run++) times.push([await once(a), await once(b)]);
  const ratios = times.map(([first, second]) => first / second);
  const [first, second] = [times.map(([time]) => time), times.map(([, time]) => time)];
  return {
    a: median(first),
    b: median(second),
    more: median(times.map(([first, second]) => first - second)),
    ratio: median(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
    fastest: { a: Math.min(...first), b: Math.min(...second) },
  };
}
