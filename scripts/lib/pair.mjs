// Measures whole processes in turn: A B A B …, so that changes in the machine's speed affect both equally.
import { spawn } from "node:child_process";

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Runs a command once, after `before()`, and resolves to wall-clock milliseconds. A failing command fails the benchmark. */
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
 */
export async function pair(a, b, runs = 15) {
  await once(a);
  await once(b);
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

/** Formats a result as one line of a table. */
export function row(name, { a, b, ratio, min, max }) {
  const ms = (value) => `${value.toFixed(0).padStart(6)} ms`;
  const spread = `${min.toFixed(2)}–${max.toFixed(2)}`;
  return `${name.padEnd(48)} ${ms(a)} ${ms(b)}   ×${ratio.toFixed(2)} (${spread})`;
}
