export type { Cache } from "./cache.ts";
export { cachedOutput } from "./cached-output.ts";
export { cacheDirectory } from "./store.ts";
