import type { Json } from "../json/json.ts";
import type { ValidationResult } from "./validation-result.ts";

/** Milliseconds of new work, after which a check is interrupted. */
const sliceTime = 10;

/** Thrown to interrupt a check. {@link inSlices} catches it and repeats the check, which remembers its finished parts. */
const interruption = new Error("the check continues later");

/** The state of a check that is done in slices. */
interface SlicedCheck {
  /** The results of values that are objects or lists. */
  readonly ofObjects: Map<object, WeakMap<object, ValidationResult>>;
  /** The results of other values, by their paths. */
  readonly ofScalars: Map<object, Map<string, { value: Json; result: ValidationResult }>>;
  /** When the present slice ends; undefined until it has finished a part, so that each slice gets further. */
  ends: number | undefined;
}

/**
 * The check that runs now. It is the state of a call, not of the module: it is set only while {@link inSlices} runs a check,
 * which never waits, and restored before anything else can run. Passed as a parameter, it would be part of the signature of
 * every rule of a kind that may validate a schema somewhere, although only those of large custom resources are sliced.
 */
let current: SlicedCheck | undefined;

/**
 * Runs a check that doesn't wait for anything, but lets other work run from time to time if it takes long.
 *
 * @param check - a function without effects. It's called again from the beginning after each interruption
 * @param pause - lets other work run
 * @returns the result of the check
 * @throws what the check or the pause throws
 */
export async function inSlices<T>(check: () => T, pause: () => Promise<unknown>): Promise<T> {
  const own: SlicedCheck = { ofObjects: new Map(), ofScalars: new Map(), ends: undefined };
  for (;;) {
    const outer = current;
    current = own;
    own.ends = undefined;
    try {
      return check();
    } catch (error) {
      if (error !== interruption) throw error;
    } finally {
      current = outer;
    }
    await pause();
  }
}

/** Whether the present check is done in slices. */
export function isSliced(): boolean {
  return current !== undefined;
}

/** Interrupts the present check if its slice is over. Call it before a part that is never done twice. */
export function mayInterrupt(): void {
  if (current === undefined) return;
  const now = performance.now();
  if (current.ends === undefined) current.ends = now + sliceTime;
  else if (now > current.ends) throw interruption;
}

/**
 * Returns the result of a part of the present check. It is computed once, however often the check is interrupted.
 *
 * @param schema - the schema of the part
 * @param value - the value of the part
 * @param path - its path
 * @param compute - checks it
 */
export function onceInSlices(
  schema: object,
  value: Json,
  path: string,
  compute: () => ValidationResult,
): ValidationResult {
  if (current === undefined) return compute();
  if (typeof value === "object" && value !== null) {
    const results = ofSchema(current.ofObjects, schema, () => new WeakMap<object, ValidationResult>());
    let result = results.get(value);
    if (result === undefined) {
      mayInterrupt();
      result = compute();
      results.set(value, result);
    }
    return result;
  }
  const results = ofSchema(
    current.ofScalars,
    schema,
    () => new Map<string, { value: Json; result: ValidationResult }>(),
  );
  let earlier = results.get(path);
  // Paths don't escape the names of fields, so two values can have the same one.
  if (earlier === undefined || earlier.value !== value) {
    mayInterrupt();
    earlier = { value, result: compute() };
    results.set(path, earlier);
  }
  return earlier.result;
}

function ofSchema<T>(of: Map<object, T>, schema: object, create: () => T): T {
  let results = of.get(schema);
  if (results === undefined) {
    results = create();
    of.set(schema, results);
  }
  return results;
}
