/** Names the object to reconcile. It contains no event: a reconciler is level-based, so it acts on the current state. */
export interface Request {
  /** Namespace of the object. `""` for cluster-scoped objects. */
  namespace: string;
  /** Name of the object. */
  name: string;
  /** Name of the cluster, if the manager serves several. */
  cluster?: string;
}

/**
 * Returns the identity of a request, by which the queue removes duplicates. Custom request types are compared by value,
 * whatever the order of their fields.
 *
 * @param request - the request
 * @returns a string that is the same for equal requests
 * @throws TypeError for values that can't be compared by value: functions, symbols, instances of classes such as `Map`
 */
export function requestKey(request: unknown): string {
  return isRequest(request) ? objectKey(request) : JSON.stringify(canonical(request));
}

function objectKey({ namespace, name, cluster }: Request): string {
  const local = `${namespace}/${name}`;
  return cluster === undefined ? local : `${cluster}//${local}`;
}

function isRequest(value: unknown): value is Request {
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (key !== "name" && key !== "namespace" && key !== "cluster") return false;
  const { namespace, name } = value as Partial<Request>;
  return typeof namespace === "string" && typeof name === "string";
}

/** Returns a value whose JSON text is the same for all equal values: fields are sorted, and types that JSON lacks are marked. */
function canonical(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return { bigint: String(value) };
  if (typeof value === "number") return Number.isFinite(value) ? value : { number: String(value) };
  if (value instanceof Date) return { date: value.getTime() };
  if (Array.isArray(value)) return value.map(canonical);
  if (isPlain(value)) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return { object: entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, canonical(inner)]) };
  }
  throw new TypeError(
    `invalid request: it contains ${describe(value)}, but must contain only plain objects and values, since requests are compared by value`,
  );
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describe(value: unknown): string {
  return typeof value === "object" ? `a ${value?.constructor?.name ?? "value"}` : `a value of type ${typeof value}`;
}
