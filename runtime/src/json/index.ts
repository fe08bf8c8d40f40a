export { cloneJson } from "./clone.ts";
export { formatDuration, parseDuration } from "./duration.ts";
export { semanticEqual } from "./equal.ts";
export { deepFreeze } from "./freeze.ts";
export { parseJson } from "./parse.ts";
export {
  addQuantities,
  compareQuantities,
  multiplyQuantity,
  quantityToNumber,
  subtractQuantities,
} from "./quantity.ts";
export { stringifyJson } from "./stringify.ts";
