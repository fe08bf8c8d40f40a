import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds between two checks of a port. */
const checkTime = 1000;

/** An address that a server listens on. */
export interface Address {
  readonly host?: string;
  readonly port: number;
}

/** Returns the address that a manager couldn't use, by the lines of its output. */
export function takenAddress(output: readonly string[]): Address | undefined {
  const [, host = "", port] =
    output.map((line) => /EADDRINUSE: [\w ]+ (\S*):(\d+)\b/.exec(line)).findLast(Boolean) ?? [];
  return port === undefined ? undefined : { ...(host === "" ? {} : { host }), port: Number(port) };
}

/** Whether a server could listen on an address now. */
export function isFree(address: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(address, () => server.close(() => resolve(true)));
  });
}

/**
 * Waits until no program uses an address, or the signal aborts.
 *
 * @param interval - milliseconds between two checks
 */
export async function untilFree(address: Address, signal: AbortSignal, interval: number = checkTime): Promise<void> {
  while (!signal.aborted && !(await isFree(address))) {
    await sleep(interval, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
