import type { LookupFunction } from "node:net";

/** Returns Node's name lookup, extended by a callback with the duration in milliseconds. */
export function timedLookup(onResolved: (duration: number) => void): LookupFunction {
  return (hostname, options, callback) => {
    const started = performance.now();
    // Loaded on first use, to keep importing the runtime fast.
    const { lookup } = process.getBuiltinModule("node:dns");
    lookup(hostname, options, (error, address, family) => {
      onResolved(performance.now() - started);
      callback(error, address as string, family);
    });
  };
}
