import { compareQuantities } from "@kubewright/cel/quantity";
import { maxRecursion } from "./limits.ts";
import { quantityOf } from "./quantity.ts";

// Fields that are maps in the API's Go types. An empty map is equivalent to a missing one. All other empty objects can have
// a meaning (`emptyDir: {}`, `namespaceSelector: {}`).
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

/**
 * The API groups whose kinds contain quantities. A test compares them with the Kubernetes types. In other groups, strings
 * are compared exactly.
 */
const QUANTITY_GROUPS: ReadonlySet<string> = new Set([
  "",
  "apps",
  "autoscaling",
  "batch",
  "node.k8s.io",
  "resource.k8s.io",
  "storage.k8s.io",
]);

/** Fields of these groups that map arbitrary names to strings. Their keys can have the same name as a quantity field. */
const TEXT_MAPS: ReadonlySet<string> = new Set([
  "annotations",
  "attachmentMetadata",
  "binaryData",
  "data",
  "labels",
  "matchLabels",
  "nodeSelector",
  "options",
  "parameters",
  "selector",
  "stringData",
  "topology",
  "volumeAttributes",
]);

// The fields of these groups that are quantities, or map names to quantities. `value` and `default` are excluded, because
// they are quantities only in some types. A missed change would be worse than an unnecessary update.
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
  "allocationMultiplier",
  "available",
  "averageValue",
  "capacityMultiplier",
  "consumed",
  "currentAverageValue",
  "currentValue",
  "deviceMultiplier",
  "divisor",
  "maximumVolumeSize",
  "perContainer",
  "perPod",
  "quantity",
  "sizeLimit",
  "step",
  "targetAverageValue",
  "targetValue",
  "tolerance",
  "total",
]);

/**
 * Checks whether two JSON values have the same meaning for an API server. The order of keys is ignored. Absent values,
 * `null` and `[]` are equal, and so is `{}` for maps such as labels and annotations. Numbers and `bigint` are compared by
 * value. In objects of built-in kinds, quantities are too: `1`, `"1"` and `"1000m"` are equal. In custom kinds, strings are
 * compared exactly.
 *
 * @param a an object with its `apiVersion`, or any other value
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  const pending: Pending[] = [];
  const comparison = { hasQuantities: hasQuantities(a), pending };
  if (!same(a, b, "", false, 0, comparison)) return false;
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (!same(next.a, next.b, next.key, false, 0, comparison)) return false;
  }
  return true;
}

function hasQuantities(object: unknown): boolean {
  const { apiVersion } = (object ?? {}) as { apiVersion?: unknown };
  if (typeof apiVersion !== "string") return false;
  return QUANTITY_GROUPS.has(apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "");
}

interface Comparison {
  readonly hasQuantities: boolean;
  readonly pending: Pending[];
}

/** Two containers to compare later, which keeps the call stack short. */
interface Pending {
  a: unknown;
  b: unknown;
  key: string;
}

/** Checks whether two values are equal, except for the containers that it adds to `pending`. */
function same(
  a: unknown,
  b: unknown,
  key: string,
  isQuantity: boolean,
  depth: number,
  comparison: Comparison,
): boolean {
  if (a === b) return true;
  if (isNone(a, key)) return isNone(b, key);
  if (isNone(b, key)) return false;
  if (typeof a !== "object" || typeof b !== "object") {
    if (isQuantity && sameQuantity(a, b)) return true;
    // biome-ignore lint/suspicious/noDoubleEquals: 1n and 1 are one JSON number
    return isNumber(a) && isNumber(b) && a == b;
  }
  if (depth >= maxRecursion) {
    comparison.pending.push({ a, b, key });
    return true;
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) {
      if (!same(a[index], b[index], "", false, depth + 1, comparison)) return false;
    }
    return true;
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const { hasQuantities } = comparison;
  const isResources = hasQuantities && QUANTITY_MAPS.has(key);
  const hasFields = hasQuantities && !TEXT_MAPS.has(key);
  let shared = 0;
  for (const name in left) {
    const isAmount = isResources || (hasFields && QUANTITIES.has(name));
    const isShared = Object.hasOwn(right, name);
    if (isShared) shared++;
    if (!same(left[name], isShared ? right[name] : undefined, name, isAmount, depth + 1, comparison)) return false;
  }
  if (Object.keys(right).length === shared) return true;
  for (const name in right) if (!Object.hasOwn(left, name) && !isNone(right[name], name)) return false;
  return true;
}

function sameQuantity(a: unknown, b: unknown): boolean {
  const [left, right] = isScalar(a) && isScalar(b) ? [quantityOf(a), quantityOf(b)] : [];
  return left !== undefined && right !== undefined && compareQuantities(left, right) === 0;
}

function isScalar(value: unknown): value is string | number | bigint {
  return typeof value === "string" || isNumber(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

function isNone(value: unknown, key: string): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.length === 0;
  return MAPS.has(key) && Object.keys(value).length === 0;
}
