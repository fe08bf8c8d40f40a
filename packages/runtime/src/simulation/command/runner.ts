// The runner of Vitest in the processes of `scaffold simulate`. The time limit of a test ends its simulations, and a new process
// would have to compile everything again, which takes as long as dozens of schedules. So it calls a test until its
// simulations have ended.
import { setMaxListeners } from "node:events";
import { realNow } from "../globals.ts";
import { changeSettings, currentName, readSettings } from "../settings.ts";

type Call = () => Promise<unknown>;

interface Task {
  type: string;
  tasks?: Task[];
}

interface Test extends Task {
  file: Task;
  context: { signal: AbortSignal };
}

interface RunnerClass {
  new (config: object): object;
  getTestFn: (test: Test) => Call;
}

/** Real time in milliseconds that isn't worth another call: it begins with runs without faults. */
const shortestTime = 500;
const given = readSettings();
const vitest = (await import(given?.vitest as string)) as { TestRunner: RunnerClass };
const Runner: RunnerClass = vitest.TestRunner;

/** Calls tests again and again. */
export default class RepeatingRunner extends Runner {
  runTask(test: Test): Promise<void> {
    // Each call adds a listener, and Node.js warns about more than ten.
    setMaxListeners(0, test.context.signal);
    return callAgain(Runner.getTestFn(test), given?.budget, testsOf(test.file));
  }
}

/**
 * Calls a test until its simulations have ended, or their time is over.
 *
 * @param call - calls the test, which fails if it takes longer than its time limit
 * @param budget - real time in milliseconds for each simulation
 * @param tests - the number of tests of the file, which share the time of the first round
 */
async function callAgain(call: Call, budget: number | undefined, tests: number): Promise<void> {
  const name = currentName();
  const isFirstRound = Object.keys(given?.next ?? {}).length === 0;
  const share = budget === undefined ? Number.POSITIVE_INFINITY : budget / (isFirstRound ? tests : 1);
  const unfinished = (): [string, number | null][] =>
    Object.entries(readSettings()?.next ?? {}).filter(
      ([key, seed]) => seed !== null && (key === name || key.startsWith(`${name} #`)),
    );
  const until = realNow() + share * Math.max(1, unfinished().length);
  for (let repetition = 0; ; repetition++) {
    const settings = readSettings();
    if (!settings) return;
    const left = until - realNow();
    if (repetition > 0 && left < shortestTime) return;
    const before = unfinished();
    const own = left / Math.max(1, before.length);
    changeSettings({ ...settings, repetition, ...(budget === undefined ? {} : { budget: own }) });
    await call();
    const after = unfinished();
    if (after.length === 0 || JSON.stringify(after) === JSON.stringify(before)) return;
  }
}

function testsOf({ type, tasks = [] }: Task): number {
  return type === "test" ? 1 : tasks.reduce((sum, task) => sum + testsOf(task), 0);
}
