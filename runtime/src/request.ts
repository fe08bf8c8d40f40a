/** The object to reconcile. Nothing else: a reconcile looks at the state of the world, not at an event. */
export interface Request {
  /** Empty for cluster-scoped objects. */
  namespace: string;
  name: string;
  /** Which cluster, where a manager serves several. */
  cluster?: string;
}

/**
 * The identity of a request: what the queue removes duplicates by. Requests of one's own are compared by value, whatever the order
 * of their fields. Throws a `TypeError` for what has no value in that sense: functions, symbols, class instances such as `Map`.
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

/** A value whose JSON text is the same for all that are equal: fields in order, what JSON lacks told by its type. */
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
  throw new TypeError(`a request can't hold ${describe(value)}: requests are compared by value, use plain objects`);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describe(value: unknown): string {
  return typeof value === "object" ? `a ${value?.constructor?.name ?? "value"}` : `a value of type ${typeof value}`;
}
