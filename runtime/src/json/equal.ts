import { maxRecursion } from "./limits.ts";
import { quantityNanos } from "./quantity.ts";

// Fields that are maps in the API's Go types. There an empty map is none; any other empty object may mean something
// (`emptyDir: {}`, `namespaceSelector: {}`).
const MAPS: ReadonlySet<string> = new Set([
  "annotations",
  "binaryData",
  "data",
  "labels",
  "limits",
  "matchLabels",
  "nodeSelector",
  "requests",
  "selector",
  "stringData",
]);

// Where the API's Go types hold quantities: in maps of resources, and in fields that hold nothing else anywhere in the API. `value`
// and `default` are quantities here and any text there; taking a change for none would be worse than an update too many.
const QUANTITY_MAPS: ReadonlySet<string> = new Set([
  "allocatable",
  "allocatedResources",
  "capacity",
  "consumedCapacity",
  "defaultRequest",
  "hard",
  "limits",
  "max",
  "maxLimitRequestRatio",
  "min",
  "overhead",
  "podFixed",
  "requests",
  "used",
]);
const QUANTITIES: ReadonlySet<string> = new Set([
  "averageValue",
  "currentAverageValue",
  "currentValue",
  "divisor",
  "maximumVolumeSize",
  "sizeLimit",
  "targetAverageValue",
  "targetValue",
]);

/**
 * Whether two JSON values mean the same to an API server: the order of keys doesn't count; absent, `null` and `[]` are one, and
 * so is `{}` for labels, annotations and their like. Numbers and `bigint` compare by value, and so do quantities in resource
 * lists and their like: `1`, `"1"` and `"1000m"` are one there.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  const pending: Pending[] = [];
  if (!same(a, b, "", false, 0, pending)) return false;
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (!same(next.a, next.b, next.key, false, 0, pending)) return false;
  }
  return true;
}

/** Two containers that are compared later, so that the call stack stays short. */
interface Pending {
  a: unknown;
  b: unknown;
  key: string;
}

/** Whether two values are the same but for what it puts on `pending`. */
function same(a: unknown, b: unknown, key: string, isQuantity: boolean, depth: number, pending: Pending[]): boolean {
  if (a === b) return true;
  if (isNone(a, key)) return isNone(b, key);
  if (isNone(b, key)) return false;
  if (typeof a !== "object" || typeof b !== "object") {
    if (isQuantity && sameQuantity(a, b)) return true;
    // biome-ignore lint/suspicious/noDoubleEquals: 1n and 1 are one JSON number
    return isNumber(a) && isNumber(b) && a == b;
  }
  if (depth >= maxRecursion) {
    pending.push({ a, b, key });
    return true;
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => same(item, b[index], "", false, depth + 1, pending));
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const isResources = QUANTITY_MAPS.has(key);
  for (const name in left) {
    const isAmount = isResources || QUANTITIES.has(name);
    if (!same(left[name], own(right, name), name, isAmount, depth + 1, pending)) return false;
  }
  for (const name in right) if (!Object.hasOwn(left, name) && !isNone(right[name], name)) return false;
  return true;
}

function sameQuantity(a: unknown, b: unknown): boolean {
  const left = isScalar(a) ? quantityNanos(a) : undefined;
  return left !== undefined && isScalar(b) && left === quantityNanos(b);
}

function isScalar(value: unknown): value is string | number | bigint {
  return typeof value === "string" || isNumber(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

function own(holder: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function isNone(value: unknown, key: string): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.length === 0;
  return MAPS.has(key) && Object.keys(value).length === 0;
}
