export type { Cache } from "./cache.ts";
export { cachedOutput, type RunGenerators } from "./cached-output.ts";
export { cacheDirectory } from "./store.ts";
