// Measures whole processes in turn: A B A B …, so that changes in the machine's speed affect both equally.
// JavaScript with checked types, as the benchmarks that use it.
// @ts-check
import { spawn } from "node:child_process";

/**
 * A command to measure.
 *
 * @typedef {object} Measured
 * @property {string} command
 * @property {readonly string[]} args
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [env] - added to the environment of this process
 * @property {() => unknown} [before] - called before each run
 */

/**
 * Returns the median; `NaN` without values.
 *
 * @param {readonly number[]} values
 */
export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Runs a command once, after `before()`. A failing command fails the benchmark.
 *
 * @param {Measured} measured
 * @returns {Promise<number>} the wall-clock milliseconds
 */
function once({ command, args, cwd, env, before }) {
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

/**
 * Times two commands in turn after one warm-up each. Resolves to milliseconds: medians, `more` (the median of the
 * differences a - b, pair by pair) and minima (`fastest`, which a busy machine affects least). The median, minimum and
 * maximum of the ratios a/b are pair by pair.
 *
 * @param {Measured} a
 * @param {Measured} b
 * @param {number} runs
 */
export async function pair(a, b, runs = 15) {
  await once(a);
  await once(b);
  /** @type {[number, number][]} */
  const times = [];
  for (let run = 0; run < runs; run++) times.push([await once(a), await once(b)]);
  const ratios = times.map(([first, second]) => first / second);
  return {
    a: median(times.map(([first]) => first)),
    b: median(times.map(([, second]) => second)),
    ratio: median(ratios),
    more: median(times.map(([first, second]) => first - second)),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
    fastest: { a: Math.min(...times.map(([first]) => first)), b: Math.min(...times.map(([, second]) => second)) },
    runs,
  };
}

/**
 * Formats a result as one line of a table.
 *
 * @param {string} name
 * @param {{ a: number, b: number, ratio: number, min: number, max: number }} result
 */
export function row(name, { a, b, ratio, min, max }) {
  /** @param {number} value */
  const ms = (value) => `${value.toFixed(0).padStart(6)} ms`;
  const spread = `${min.toFixed(2)}–${max.toFixed(2)}`;
  return `${name.padEnd(48)} ${ms(a)} ${ms(b)}   ×${ratio.toFixed(2)} (${spread})`;
}
