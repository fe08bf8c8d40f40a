import { masked, maskedChange } from "../secrets/masked.ts";
import { isSecretCopy, secretTexts } from "../secrets/secret-copy.ts";
import { isSensitiveName, redactedText, redactText } from "./redact-text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Context of a value in its container. */
interface Place {
  depth: number;
  /** Whether it is an item of a SecretList. */
  isSecret: boolean;
  /** The values of the Secret that contains it. */
  values?: readonly string[];
}

/** Maximum number of printed causes, since a chain of causes can be cyclic. */
const maxCauses = 16;
/** Maximum number of printed levels, which limits the call stack. */
const maxDepth = 32;
/** Maximum number of visited items, since more would take seconds per line. */
const maxItems = 20_000;
/** The annotation in which kubectl keeps the applied object, with its values. */
export const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const secretType = /^(?:Opaque$|kubernetes\.io\/|bootstrap\.kubernetes\.io\/token$|helm\.sh\/release)/;
const secretPath = /^\/(?:data|stringData)(?:\/|$)/;

/**
 * Returns a value without credentials for printing. They are found at any depth by the kind of the object and by field
 * names. A value without credentials is returned unchanged; the argument is never changed.
 *
 * Secrets show the keys of `data` and `stringData` without values. Errors are converted to their text.
 */
export function redact(value: unknown): unknown {
  return new Redaction().of(value, { depth: 0, isSecret: false });
}

/** Returns a field of a log line or object without credentials. Text that replaces a value of a Secret stays as it is. */
export function redactField(name: string, value: unknown): unknown {
  if (isMasked(value)) return value;
  if (typeof value === "string") return value !== "" && isSensitiveName(name) ? redactedText : redactText(value);
  if (typeof value !== "object" || value === null) {
    if (isSensitiveScalar(name, value)) return redactedText;
    return typeof value === "bigint" ? value.toString() : value;
  }
  return new Redaction().field(name, value, { depth: 0, isSecret: false });
}

/** Returns the message of any thrown value, with those of its causes and without credentials. Never throws. */
export function errorText(error: unknown): string {
  try {
    return redactText(textOf(error, maxCauses));
  } catch {
    // A getter of the error threw.
    return "an error whose message can't be read";
  }
}

function textOf(error: unknown, causes: number): string {
  if (!(error instanceof Error)) return typeof error === "object" ? valueText(error) : String(error);
  const message = error.message === "" ? error.name : String(error.message);
  // Shows in the log that the error isn't retried, regardless of its message.
  const text = error.name === "TerminalError" ? `terminal error: ${message}` : message;
  const cause = error.cause === undefined || causes === 0 ? "" : textOf(error.cause, causes - 1);
  return cause === "" || text.includes(cause) ? text : `${text}: ${cause}`;
}

function valueText(value: unknown): string {
  try {
    return JSON.stringify(redact(value)) ?? String(value);
  } catch {
    return typeof value === "object" ? Object.prototype.toString.call(value) : String(value);
  }
}

class Redaction {
  readonly #ancestors = new Set<object>();
  #items = 0;

  of(value: unknown, place: Place): unknown {
    if (typeof value === "string") return redactText(value);
    if (typeof value === "bigint") return value.toString();
    if (typeof value !== "object" || value === null) return value;
    if (this.#ancestors.has(value)) return "[circular]";
    this.#ancestors.add(value);
    try {
      return this.#object(value, place);
    } catch {
      // A getter or toJSON of user code threw, or the value is a revoked proxy.
      return "[unreadable]";
    } finally {
      this.#ancestors.delete(value);
    }
  }

  field(name: string, value: unknown, place: Place): unknown {
    if (isMasked(value)) return value;
    if (name === "stringData") return withoutValues(value);
    if (isSensitiveName(name)) {
      if ((typeof value === "string" && value !== "") || ArrayBuffer.isView(value)) return redactedText;
      if (Array.isArray(value) && value.some((item) => typeof item !== "object")) return redactedText;
      if (isSensitiveScalar(name, value)) return redactedText;
    }
    return this.of(value, place);
  }

  #object(value: object, { depth, isSecret, values }: Place): unknown {
    if (value instanceof Error) return errorText(value);
    if (depth >= maxDepth || this.#items > maxItems) return "[…]";
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function") {
      const json: unknown = toJSON.call(value, "");
      // Prints the copy as it is, so that the original isn't printed instead.
      return json === value
        ? this.#fields(value as Fields, depth + 1, isSecret, values)
        : this.of(json, { depth: depth + 1, isSecret, values });
    }
    return Array.isArray(value)
      ? this.#list(value, depth + 1, isSecret)
      : this.#fields(value as Fields, depth + 1, isSecret, values);
  }

  #list(list: readonly unknown[], depth: number, isSecret: boolean): unknown {
    this.#items += list.length;
    if (this.#items > maxItems) return `[${list.length} items]`;
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      const shown = this.of(item, { depth, isSecret });
      if (shown === item) continue;
      copy ??= [...list];
      copy[index] = shown;
    }
    return copy ?? list;
  }

  #fields(object: Fields, depth: number, isItemOfSecrets: boolean, outer: readonly string[] = []): unknown {
    const names = Object.keys(object);
    this.#items += names.length;
    const isSecret = isItemOfSecrets || isSecretObject(object);
    const isList = object.kind === "SecretList";
    const values = isSecret && object.data !== undefined ? [...outer, ...secretTexts(object)] : outer;
    let copy: Record<string, unknown> | undefined;
    for (const name of names) {
      const value = object[name];
      let shown: unknown;
      if (isSecret && name === "annotations") shown = withoutCopies(value, values);
      else if (isSecret && name === "data") shown = withoutValues(value);
      else if (name === lastApplied && (isSecret || typeof value !== "string")) shown = redactedText;
      else if (isCredential(object, name, value)) shown = withoutValues(value);
      else
        shown = this.field(name, value, {
          depth,
          isSecret: (isList && name === "items") || (isSecret && name !== "items"),
          values: isSecret ? values : undefined,
        });
      if (shown === value) continue;
      copy ??= { ...object };
      Object.defineProperty(copy, name, { value: shown, enumerable: true, configurable: true, writable: true });
    }
    return copy ?? object;
  }
}

/** Returns the annotations of a Secret without copies of its values. */
function withoutCopies(annotations: unknown, values: readonly string[]): unknown {
  if (typeof annotations !== "object" || annotations === null) return annotations;
  return Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [
      name,
      isSecretCopy(value, values) || isSensitiveName(name) ? redactedText : redactText(value as string),
    ]),
  );
}

function isSecretObject({ kind, type, data }: Fields): boolean {
  if (kind === "Secret") return true;
  return kind === undefined && data !== undefined && typeof type === "string" && secretType.test(type);
}

/** Checks whether a field is a credential because of its sibling fields. */
function isCredential(object: Fields, name: string, value: unknown): boolean {
  switch (name) {
    case "args":
    case "env":
      // A credential plugin of a kubeconfig. In containers, `command` is a list.
      return typeof object.command === "string" && Array.isArray(value);
    case "key":
      return typeof object.cert === "string" && typeof value === "string";
    case "value":
      // A variable or header by its name, and an operation of a JSON patch by its path.
      if (typeof object.name === "string") return typeof value !== "object" && isSensitiveName(object.name);
      return typeof object.op === "string" && typeof object.path === "string" && isSensitivePath(object.path);
    default:
      return false;
  }
}

/** Another replacement would hide which values of a Secret have changed. */
function isMasked(value: unknown): boolean {
  return value === masked || value === maskedChange;
}

function isSensitivePath(path: string): boolean {
  return secretPath.test(path) || isSensitiveName(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * Checks for a sensitive number, such as a PIN or a token. Booleans such as `automountServiceAccountToken` aren't
 * credentials.
 */
function isSensitiveScalar(name: string, value: unknown): boolean {
  return (typeof value === "number" || typeof value === "bigint") && isSensitiveName(name);
}

/** Returns the names in a map or list of variables, without values. */
function withoutValues(value: unknown): unknown {
  if (value === undefined || value === null || value === "") return value;
  if (Array.isArray(value)) {
    return value.map((item: unknown) => {
      const name = (item as { name?: unknown } | null)?.name;
      return typeof name === "string" ? { name, value: redactedText } : redactedText;
    });
  }
  if (typeof value !== "object" || ArrayBuffer.isView(value)) return redactedText;
  return Object.fromEntries(Object.keys(value).map((name) => [name, redactedText]));
}
