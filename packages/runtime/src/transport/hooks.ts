import type { Config } from "../config/config.ts";
import { ProcessHook } from "../session/process-hook.ts";
import type { Transport } from "./transport.ts";

/** Replaces and checks the connections of all clients of a process. */
export interface TransportHook {
  /** Returns the transport that the client of a cluster uses instead. */
  transport(inner: Transport, config: Config): Transport;
  /** Calls a function that opens a connection or starts a program for a client. */
  connecting<T>(connect: () => T): T;
  /** Called with the head and body of each request, before they are written to a connection. */
  sending(text: string): void;
}

/** The hook of this process. */
export const transportHook: ProcessHook<TransportHook> = new ProcessHook();

/** Calls a function that opens a connection or starts a program for a client. */
export function connecting<T>(connect: () => T): T {
  const { installed } = transportHook;
  return installed ? installed.connecting(connect) : connect();
}
