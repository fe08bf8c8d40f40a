// Stored objects that can't be read in the version of a request, because a webhook doesn't convert them.
import { StatusError } from "../model/status.ts";
import type { Entry } from "../model/stored-state.ts";
import type { Scope } from "./scope.ts";
import { createTurns } from "./turns.ts";

/** The largest number of objects that the error of a list names. */
const mostCauses = 100;

/** The error of a stored object that can't be decoded, as writes report it. */
export class UndecodableError extends StatusError {
  readonly entry: Entry;

  /**
   * @param entry - the stored state
   * @param problem - the reason
   */
  constructor(entry: Entry, problem: string) {
    super(500, "", `object not decodable revision=${entry.revision}: ${problem}`);
    this.entry = entry;
  }
}

/**
 * Reads a stored object.
 *
 * @param entry - the stored state
 * @param read - reads it
 * @returns the object
 * @throws UndecodableError if it can't be converted
 */
export async function decoded<T>(entry: Entry, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    // Only failed conversions have no reason.
    if (!(error instanceof StatusError) || error.reason !== "" || error instanceof UndecodableError) throw error;
    throw new UndecodableError(entry, error.message);
  }
}

/** Returns the key of an object in etcd. */
function etcdKey({ type }: Scope, entry: Entry): string {
  const { group, resource, custom, registryPath = custom ? `${group}/${resource}` : resource } = type;
  return `/${registryPath}/${entry.key}`;
}

/** Describes an object for which the store has no readable state. */
function storageError(
  scope: Scope,
  { entry, message }: UndecodableError,
  prefix: string,
): { key: string; text: string } {
  const key = `${prefix}${etcdKey(scope, entry)}`;
  const text = `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${message}`;
  return { key, text };
}

/** Describes an object that can be read, although it shouldn't be. */
export function invalidObject(scope: Scope, entry: Entry): string {
  const problem = "unsafe deletion is not allowed because the object is decodable from storage";
  const key = `/registry${etcdKey(scope, entry)}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${problem}`;
}

/**
 * Reads a stored object for a request for a single object.
 *
 * @param scope - the request
 * @param read - reads it
 * @returns the object
 * @throws StatusError with the key of the object if it can't be converted
 */
export async function corruptIfUndecodable<T>(scope: Scope, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
    const { text } = storageError(scope, error, "");
    throw new StatusError(500, "InternalError", `Internal error occurred: ${text}`, { causes: [{ message: text }] });
  }
}

/**
 * Reads the objects of a list.
 *
 * @param scope - the request
 * @param entries - the stored states
 * @param read - reads one of them
 * @returns what was read
 * @throws StatusError that names all objects that can't be decoded
 */
export async function readAll<T>(
  scope: Scope,
  entries: readonly Entry[],
  read: (entry: Entry) => T | Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const problems: { key: string; text: string }[] = [];
  const turn = createTurns(scope.engine);
  for (const entry of entries) {
    const others = turn();
    if (others !== undefined) await others;
    try {
      const result = read(entry);
      results.push(result instanceof Promise ? await result : result);
    } catch (error) {
      if (!(error instanceof UndecodableError)) throw error;
      problems.push(storageError(scope, error, "/registry"));
      if (problems.length === mostCauses) break;
    }
  }
  const [first, ...others] = problems;
  if (first === undefined) return results;
  const causes = problems.map(({ key, text }) => ({ reason: "UnexpectedServerResponse", message: text, field: key }));
  const { group, resource } = scope.groupResource;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const name = group === "" ? resource : `${resource}.${group}`;
  const message = `failed to read one or more ${name} from the storage: ${first.text}${more}`;
  const details = { group, kind: resource, name: "list" };
  const tooMany = { reason: "FieldValueTooMany", message: "too many errors, the list is truncated" };
  throw new StatusError(500, "StorageReadError", message, {
    ...details,
    causes: problems.length === mostCauses ? [...causes, tooMany] : causes,
  });
}
