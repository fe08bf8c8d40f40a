export { type Cache, cachedMake } from "./cached-make.ts";
export { cacheDirectory } from "./store.ts";
