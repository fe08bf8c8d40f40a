export { type Cache, readText, writeText } from "./cache.ts";
export { cachedMake } from "./cached-make.ts";
export { cacheDirectory } from "./store.ts";
