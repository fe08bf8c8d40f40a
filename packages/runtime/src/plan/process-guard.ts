import { AsyncLocalStorage } from "node:async_hooks";
import childProcess from "node:child_process";
import dgram from "node:dgram";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import type { PlannedPosition } from "../session/plan.ts";
import { positionOf } from "./positions.ts";

/** Receives what a plan has refused. */
export type OnRefused = (error: Error, position: PlannedPosition) => void;

/**
 * Keeps this process from connecting to anything, starting programs and sending datagrams, except within
 * {@link ProcessGuard.connecting}.
 */
export class ProcessGuard {
  readonly #onRefused: OnRefused;
  /** Set within calls that may connect, and what they start. */
  readonly #allowed = new AsyncLocalStorage<true>();

  constructor(onRefused: OnRefused) {
    this.#onRefused = onRefused;
  }

  /** Calls a function that may connect or start a program, now or later. */
  connecting<T>(connect: () => T): T {
    return this.#allowed.run(true, connect);
  }

  /** Replaces the functions of Node.js. */
  install(): void {
    const guard = this;
    const connect = net.Socket.prototype.connect as (...values: unknown[]) => net.Socket;
    net.Socket.prototype.connect = function (this: net.Socket, ...values: unknown[]) {
      if (guard.#isAllowed()) return connect.apply(this, values);
      const error = guard.#refused(`connection to ${targetOf(values)}`);
      process.nextTick(() => this.destroy(error));
      return this;
    } as never;
    const prototype = childProcess.ChildProcess.prototype as unknown as { spawn(options: { file?: string }): number };
    const spawn = prototype.spawn;
    prototype.spawn = function (this: unknown, options) {
      if (!guard.#isAllowed()) throw guard.#refused(`program ${options.file ?? ""}`);
      return spawn.call(this as never, options);
    };
    for (const name of ["spawnSync", "execSync", "execFileSync"] as const) {
      const original = childProcess[name] as (...values: unknown[]) => unknown;
      childProcess[name] = ((...values: unknown[]) => {
        if (!guard.#isAllowed()) throw guard.#refused(`program ${String(values[0])}`);
        return original(...values);
      }) as never;
    }
    const send = dgram.Socket.prototype.send as (...values: unknown[]) => void;
    dgram.Socket.prototype.send = function (this: dgram.Socket, ...values: unknown[]) {
      if (guard.#isAllowed()) return send.apply(this, values);
      const error = guard.#refused("datagram");
      const callback = values.at(-1);
      if (typeof callback !== "function") throw error;
      process.nextTick(callback, error);
    } as never;
    syncBuiltinESMExports();
    this.#refuseFetch();
  }

  /** The connections of fetch have a stack trace without the caller. */
  #refuseFetch(): void {
    const original = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      if (this.#isAllowed()) return original(input, init);
      const url = new URL(typeof input === "string" || input instanceof URL ? input : input.url);
      const port = url.port || (url.protocol === "https:" ? "443" : "80");
      throw this.#refused(`connection to ${url.hostname}:${port}`);
    };
  }

  #isAllowed(): boolean {
    return this.#allowed.getStore() === true;
  }

  #refused(what: string): Error {
    const error = new Error(`plan: ${what} refused`);
    this.#onRefused(error, positionOf(error.stack));
    return error;
  }
}

function targetOf(values: readonly unknown[]): string {
  // Node.js passes normalized arguments as one array.
  const [first, second] = Array.isArray(values[0]) ? (values[0] as unknown[]) : values;
  if (typeof first === "object" && first !== null) {
    const { host, port, path } = first as { host?: string; port?: number | string; path?: string };
    return path ?? `${host ?? "localhost"}:${port ?? ""}`;
  }
  return typeof second === "string" ? `${second}:${String(first)}` : String(first);
}
