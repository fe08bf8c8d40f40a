/** Replaces the connection, the clock and the random numbers of managers. */
export interface SimulatedManagers {
  /**
   * Returns the options of a manager in the simulation.
   *
   * @param given - the options of the program
   * @param program - the name of the program
   */
  options<T extends object>(given: T, program: string): T;
  /** Receives a manager that was created. */
  created(manager: object): void;
  /**
   * Runs a manager. The process ends with it.
   *
   * @param start - runs it until a signal aborts
   * @param signal - the signal of the program
   */
  run(start: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** Connects a program with the simulation that runs it. */
export interface SimulatedProcess {
  readonly managers?: SimulatedManagers;
  /**
   * Calls a function of a system that the simulation replaces.
   *
   * @returns undefined if it doesn't replace the system
   */
  readonly external?: (
    system: string,
    name: string,
    values: readonly unknown[],
  ) => { readonly result: unknown } | undefined;
}

/**
 * The property of `process` in a simulation. A simulation gives each program a `process` of its own, and finds this name in bundles
 * that it can run.
 */
export const simulatedProcessName = "kubewright.simulation.process";
const key = Symbol.for(simulatedProcessName);

/** Returns the connection with the simulation that runs this process; undefined in production. */
export function simulatedProcess(): SimulatedProcess | undefined {
  return (process as { [key]?: SimulatedProcess })[key];
}

/** Connects a process with a simulation, or ends the connection. */
export function connectProcess(target: object, simulated: SimulatedProcess | undefined): void {
  Object.assign(target, { [key]: simulated });
}
