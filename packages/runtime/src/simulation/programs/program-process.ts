import { EventEmitter } from "node:events";
import { connectProcess, type SimulatedProcess } from "../../session/simulated-process.ts";
import type { Program } from "./program.ts";

/** Thrown where a program calls `process.exit`, so that it does nothing else. */
export class ProcessEnd extends Error {}

/** The parts of a {@link createProcess | process} that the simulation observes. */
export interface ObservedProcess extends Required<SimulatedProcess> {
  /** Called when the program exits, with the reason. */
  onExit(reason: string): void;
}

/**
 * Creates the `process` that a program sees: with arguments, environment and signals of its own. All else is that of this process.
 *
 * @param program - the program
 * @param pod - the name of its Pod
 * @param observed - what the simulation observes
 */
export function createProcess(
  program: Program,
  pod: string,
  { onExit, ...simulation }: ObservedProcess,
): NodeJS.Process {
  const signals = new EventEmitter({ captureRejections: false });
  signals.setMaxListeners(0);
  const output: string[] = [];
  const stream = {
    write: (text: unknown) => output.push(String(text)) > 0,
    isTTY: false,
    columns: 80,
    on: () => stream,
  };
  const environment = Object.entries(program.env).map(([name, value]) => [name, value ?? pod]);
  const own: Record<PropertyKey, unknown> = {
    argv: [process.execPath, program.file, ...program.args],
    env: Object.fromEntries(environment) as Record<string, string>,
    exitCode: undefined,
    stdout: stream,
    stderr: stream,
    send: undefined,
    exit(code: unknown = own.exitCode): never {
      const last = output.at(-1)?.trim();
      onExit(`process.exit(${String(code ?? 0)})${last ? `: ${last}` : ""}`);
      throw new ProcessEnd("the process has ended");
    },
  };
  for (const name of ["on", "once", "off", "addListener", "removeListener", "removeAllListeners"] as const) {
    own[name] = (...values: unknown[]) => {
      (signals[name] as (...values: unknown[]) => void)(...values);
      return simulated;
    };
  }
  own.emit = signals.emit.bind(signals);
  own.listeners = signals.listeners.bind(signals);
  own.listenerCount = signals.listenerCount.bind(signals);
  connectProcess(own, simulation);
  const simulated = new Proxy(process, {
    get: (target, name) => (Object.hasOwn(own, name) ? own[name] : Reflect.get(target, name, target)),
    set: (_target, name, value) => {
      own[name] = value;
      return true;
    },
    has: (target, name) => Object.hasOwn(own, name) || Reflect.has(target, name),
  });
  return simulated;
}

/** Returns the `console` of a program, which writes to the streams of its process. */
export function consoleOf({ stdout, stderr }: NodeJS.Process): Console {
  const write =
    (stream: { write(text: string): unknown }) =>
    (...values: unknown[]): void =>
      void stream.write(values.map(String).join(" "));
  const [info, error] = [write(stdout), write(stderr)];
  return { ...console, log: info, info, debug: info, trace: error, warn: error, error, dir: info, table: info };
}
