export { cloneJson } from "./clone.ts";
export { semanticEqual } from "./equal.ts";
export { deepFreeze } from "./freeze.ts";
export { parseJson } from "./parse.ts";
export { compareQuantities } from "./quantity.ts";
export { stringifyJson } from "./stringify.ts";
