// Measures the cost of the manager's option inspect: reconciles per second without it and with it.
// --against DIST compares with the runtime of another build, such as one from before a change of the hooks.
// JavaScript with checked types, because this process is measured, and would spend time on a loader of TypeScript.
// @ts-check
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/run.mjs";

const { values } = parseArgs({
  options: {
    against: { type: "string" },
    reconciles: { type: "string", default: "200000" },
    rounds: { type: "string", default: "7" },
  },
});
const count = Number(values.reconciles);
const rounds = Number(values.rounds);

/** A connection without a server: this measures queues and workers, not requests. */
const transport = {
  request: () => Promise.reject(new Error("no server")),
  stream: () => Promise.reject(new Error("no server")),
  close: async () => {},
};

/** @typedef {Pick<typeof import("@kubewright/runtime"), "Manager" | "newControllerManagedBy" | "silentLogger">} Runtime */

/**
 * Returns the reconciles per second of one run.
 *
 * @param {Runtime} runtime
 * @param {boolean | undefined} inspect
 */
async function run({ Manager, newControllerManagedBy, silentLogger }, inspect) {
  const manager = await Manager.create(
    { host: "http://127.0.0.1:1" },
    { transport, logger: silentLogger, metrics: { bindAddress: "0" }, inspect },
  );
  const stop = new AbortController();
  let left = count;
  let started = 0;
  /** @type {Promise<number>} */
  const done = new Promise((resolveDone) => {
    /** @type {import("@kubewright/runtime").Source} */
    const source = {
      name: "numbers",
      async start({ queue }) {
        for (let number = 0; number < count; number++) queue.add({ namespace: "default", name: `object-${number}` });
      },
      waitForSync: async () => {
        started = performance.now();
      },
    };
    void newControllerManagedBy(manager)
      .named("bench")
      .watchesRawSource(source)
      .complete({
        reconcile: async () => {
          if (--left === 0) resolveDone(performance.now());
        },
      })
      .then(() => manager.start(stop.signal));
  });
  const seconds = ((await done) - started) / 1000;
  stop.abort();
  return count / seconds;
}

/**
 * Loads a build of the runtime.
 *
 * @param {string} dist
 * @returns {Promise<Runtime>}
 */
const load = (dist) => import(pathToFileURL(join(resolve(dist), "index.js")).href);
const runtime = await load(join(root, "packages/runtime/dist"));
/** @type {{ name: string, measure: () => Promise<number>, rates: number[] }[]} */
const cases = [
  { name: "off", measure: () => run(runtime, false), rates: [] },
  { name: "on", measure: () => run(runtime, true), rates: [] },
];
if (values.against !== undefined) {
  const other = await load(values.against);
  cases.unshift({ name: "against", measure: () => run(other, undefined), rates: [] });
}
// The cases take turns, so that a busy moment of the machine affects all of them. The first round warms up.
for (let round = 0; round <= rounds; round++) {
  for (const { measure, rates } of cases) {
    const rate = await measure();
    if (round > 0) rates.push(rate);
  }
}
for (const { name, rates } of cases) {
  const median = rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)] ?? Number.NaN;
  console.log(`${name.padEnd(8)} ${Math.round(median)} reconciles per second, ${(1e6 / median).toFixed(2)} µs each`);
}
