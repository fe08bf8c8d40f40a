import type { Config } from "../config/config.ts";
import { ProcessHook } from "../session/process-hook.ts";
import type { Transport } from "./transport.ts";

/** Returns the transport that the client of a cluster uses in place of its own. */
export type TransportHook = (inner: Transport, config: Config) => Transport;

/** The hook of this process. */
export const transportHook: ProcessHook<TransportHook> = new ProcessHook();
