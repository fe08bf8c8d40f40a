import type { LookupFunction } from "node:net";

/** Node's own look-up of names, and how many milliseconds it took. */
export function timedLookup(onResolved: (duration: number) => void): LookupFunction {
  return (hostname, options, callback) => {
    const started = performance.now();
    // Loaded by those who time it: importing the runtime stays light.
    const { lookup } = process.getBuiltinModule("node:dns");
    lookup(hostname, options, (error, address, family) => {
      onResolved(performance.now() - started);
      callback(error, address as string, family);
    });
  };
}
