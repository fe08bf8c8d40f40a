export type { Cache } from "./cache.ts";
export { cachedOutput, loadAndRun, type RunGenerators } from "./cached-output.ts";
export { cacheDirectory } from "./directory.ts";
export { stampName, stampOf } from "./stamp.ts";
export { writeStored } from "./store.ts";
