export { cloneJson } from "./clone.ts";
export { semanticEqual } from "./equal.ts";
export { deepFreeze } from "./freeze.ts";
export { parseJson } from "./parse.ts";
export { stringifyJson } from "./stringify.ts";
