import { ProcessHook } from "../../session/process-hook.ts";

/** Checks the connections of all clients of a process. */
export interface ConnectionHook {
  /** Calls a function that opens a connection or starts a program for a client. */
  connecting<T>(connect: () => T): T;
  /** Called with the head and body of each request, before they are written to a connection. */
  sending(text: string): void;
}

/** The hook of this process. */
export const connectionHook: ProcessHook<ConnectionHook> = new ProcessHook();

/** Calls a function that opens a connection or starts a program for a client. */
export function connecting<T>(connect: () => T): T {
  const { installed } = connectionHook;
  return installed ? installed.connecting(connect) : connect();
}
