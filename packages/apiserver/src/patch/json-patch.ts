import {
  copyText,
  type DecodedJson,
  decodeWithTexts,
  encodeJson,
  getKey,
  goJson,
  goQuote,
  isObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  jsonKind,
  setKey,
  writtenText,
} from "@kubewright/cel/json";
import { badRequest, StatusError } from "../model/status.ts";
import { findTarget, getPart, indexIn, type Target } from "./json-pointer.ts";
import { copyOf, type FieldValidation, type Patched, patchedText, unprocessablePatch } from "./result.ts";

const maximumOperations = 10_000;
const maximumCopiedBytes = 3 * 1024 * 1024;

/**
 * Applies a JSON patch (RFC 6902).
 *
 * @param object - the object, which remains as it is
 * @param body - the patch
 * @param fieldValidation - what to do about unknown and repeated fields of operations
 * @returns the patched object
 * @throws StatusError (400) for a malformed patch, (413) for too many operations, (422) if an operation fails
 */
export function applyJsonPatch(object: JsonObject, body: string, fieldValidation: FieldValidation): Patched {
  const { operations, strict } = decodeOperations(body, fieldValidation);
  if (operations.length > maximumOperations) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${maximumOperations}, got ${operations.length}`;
    throw new StatusError(413, "RequestEntityTooLarge", message);
  }
  const document = new PatchedDocument(copyOf(object));
  for (const operation of operations) {
    try {
      document.apply(operation);
    } catch (error) {
      throw unprocessablePatch(error as Error);
    }
  }
  const { root, visited, given } = document;
  return { value: root, strict, shown: (custom) => patchedText(root, visited, custom, given) };
}

function decodeOperations(
  body: string,
  fieldValidation: FieldValidation,
): { operations: JsonObject[]; strict: string[] } {
  const lenient = fieldValidation === "Ignore";
  const prefix = lenient ? "" : "error decoding patch: ";
  let decoded: DecodedJson;
  try {
    decoded = decodeWithTexts(body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badRequest(`${prefix}${error.message}`);
  }
  const { value, duplicates } = decoded;
  const mismatch = (actual: Json, type: string) =>
    badRequest(`${prefix}json: cannot unmarshal ${jsonKind(actual)} into Go ${type}`);
  if (value === null) return { operations: [], strict: [] };
  if (!Array.isArray(value)) {
    throw mismatch(value, `value of type ${lenient ? "jsonpatch.Patch" : "[]handlers.jsonPatchOp"}`);
  }
  const strict: string[] = [];
  const report = (problem: string, path: string) => {
    if (strict.length < 100) strict.push(`json patch ${problem} ${goQuote(path)}`);
  };
  for (const [index, operation] of value.entries()) {
    if (operation === null) continue;
    if (!isObject(operation)) {
      throw mismatch(operation, `value of type ${lenient ? "jsonpatch.Operation" : "handlers.jsonPatchOp"}`);
    }
    if (lenient) continue;
    for (const name of Object.keys(operation)) {
      const part = operation[name] as Json;
      if (!["op", "path", "from", "value"].includes(name)) report("unknown field", `[${index}].${name}`);
      else if (name !== "value" && part !== null && typeof part !== "string") {
        throw mismatch(part, `struct field jsonPatchOp.${name} of type string`);
      }
    }
  }
  if (!lenient) for (const path of duplicates) report("duplicate field", path);
  return { operations: value.map((operation) => operation ?? {}) as JsonObject[], strict };
}

/** A document that operations change. Their errors say what's missing, though clients don't see it. */
class PatchedDocument {
  root: Json;
  /** Objects on the way to changes. */
  readonly visited = new Set<object>();
  /** Objects that came with operations. */
  readonly given = new Set<object>();
  #copiedBytes = 0;

  constructor(root: JsonObject) {
    this.root = root;
    this.visited.add(root);
  }

  apply(operation: JsonObject): void {
    const kind = operation.op;
    switch (kind) {
      case "add": {
        const path = text(operation, "path");
        const target = this.#target(path, 'add operation does not apply: doc is missing path: "%s"');
        within(`error in add for path: '${path}'`, () => insert(target, this.#valueOf(operation) ?? null, operation));
        return;
      }
      case "remove": {
        const path = text(operation, "path");
        const target = this.#target(path, 'remove operation does not apply: doc is missing path: "%s"');
        within(`error in remove for path: '${path}'`, () => remove(target));
        return;
      }
      case "replace":
        this.#replace(operation);
        return;
      case "move": {
        const from = this.#target(
          text(operation, "from"),
          "move operation does not apply: doc is missing from path: %s",
        );
        // Keeps how the value was written.
        const holder: JsonObject = {};
        const moved = within(`error in move for path: '${from.key}'`, () => {
          const value = getPart(from.container, from.key) ?? null;
          const { container, key } = from;
          copyText(
            container as object,
            Array.isArray(container) ? indexIn(container.length, key) : key,
            holder,
            "value",
          );
          remove(from);
          return value;
        });
        const path = text(operation, "path");
        const target = this.#target(path, "move operation does not apply: doc is missing destination path: %s");
        within(`error in move for path: '${path}'`, () => insert(target, moved, holder));
        return;
      }
      case "test":
        this.#test(operation);
        return;
      case "copy":
        this.#copy(operation);
        return;
      default:
        throw new Error(`Unexpected kind: ${typeof kind === "string" ? kind : "unknown"}`);
    }
  }

  #target(path: string, problem: string): Target {
    const target = findTarget(this.root, path, this.visited);
    if (target === undefined) throw new Error(`${problem.replace("%s", () => path)}: missing value`);
    return target;
  }

  #replace(operation: JsonObject): void {
    const path = text(operation, "path");
    const value = this.#valueOf(operation) ?? null;
    if (path === "") {
      if (typeof value !== "object" || value === null)
        throw new Error("replace operation value must be object or array");
      this.root = value;
      this.visited.add(value);
      return;
    }
    const { container, key } = this.#target(path, "replace operation does not apply: doc is missing path: %s");
    // An object may lack the key, unlike a list the index.
    if (isObject(container)) {
      setKey(container, key, value);
      copyText(operation, "value", container, key);
    } else {
      const list = container as Json[];
      const index = itemToReplace(list, key, path);
      list[index] = value;
      copyText(operation, "value", list, index);
    }
  }

  /** Returns the value of an operation. It's a copy, because requests may repeat their patch after a conflict. */
  #valueOf(operation: JsonObject): Json | undefined {
    const value = getKey(operation, "value");
    if (value === undefined) return undefined;
    const copy = copyOf(value);
    const pending: Json[] = [copy];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (typeof next !== "object" || next === null) continue;
      this.given.add(next);
      for (const item of Object.values(next)) if (typeof item === "object" && item !== null) pending.push(item);
    }
    return copy;
  }

  #test(operation: JsonObject): void {
    const path = text(operation, "path");
    const expected = getKey(operation, "value");
    if (path === "") {
      if (expected !== undefined && equalTexts({ root: this.root }, "root", operation, "value")) return;
    } else {
      const { container, key } = this.#target(path, "test operation does not apply: is missing path: %s");
      const value = within(`error in test for path: '${path}'`, () => getPart(container, key) ?? null);
      const at = Array.isArray(container) ? indexIn(container.length, key) : key;
      if (
        value === null
          ? expected === undefined || expected === null
          : equalTexts(container as object, at, operation, "value")
      )
        return;
    }
    throw new Error(`testing value ${path} failed: test failed`);
  }

  #copy(operation: JsonObject): void {
    const path = text(operation, "from");
    const from = this.#target(path, "copy operation does not apply: doc is missing from path: %s");
    const value = within(`error in copy for from: '${path}'`, () => getPart(from.container, from.key) ?? null);
    const destination = text(operation, "path");
    const target = this.#target(destination, "copy operation does not apply: doc is missing destination path: %s");
    if (value !== null) this.#copiedBytes += Buffer.byteLength(goJson(value));
    if (this.#copiedBytes > maximumCopiedBytes) {
      throw new Error(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${maximumCopiedBytes}`,
      );
    }
    within("error while adding value during copy", () => insert(target, copyOf(value)));
  }
}

/** Names the step of a failure, for webhooks and policies: clients don't see the reasons of failed patches. */
function within<T>(step: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new Error(`${step}: ${(error as Error).message}`);
  }
}

function itemToReplace(list: readonly Json[], key: string, path: string): number {
  try {
    return indexIn(list.length, key);
  } catch {
    throw new Error(`replace operation does not apply: doc is missing key: ${path}: missing value`);
  }
}

/** Reads where an operation acts. Only some failures have a reason in the message of Go's library. */
function text(operation: JsonObject, name: "path" | "from"): string {
  const value = operation[name];
  if (typeof value === "string") return value;
  const { op } = operation;
  const hasReason = name === "from" || op === "replace" || op === "move" || op === "test";
  const reason =
    value === undefined || value === null
      ? `operation${name === "from" ? "," : ""} missing ${name} field: missing value`
      : `json: cannot unmarshal ${jsonKind(value)} into Go value of type string`;
  throw new Error(`${op} operation failed to decode ${name}: ${hasReason ? reason : "missing value"}`);
}

/** Inserts a value, which comes from an operation or from the document. */
function insert({ container, key }: Target, value: Json, operation: JsonObject = {}): void {
  if (isObject(container)) {
    setKey(container, key, value);
    copyText(operation, "value", container, key);
  } else {
    const list = container as Json[];
    const index = key === "-" ? list.length : indexIn(list.length + 1, key);
    list.splice(index, 0, value);
    copyText(operation, "value", list, index);
  }
}

function remove({ container, key }: Target): void {
  if (!isObject(container)) {
    const list = container as Json[];
    list.splice(indexIn(list.length, key), 1);
  } else if (getKey(container, key) === undefined) {
    throw new Error(`Unable to remove nonexistent key: ${key}: missing value`);
  } else delete container[key];
}

/** Compares the texts of two values without recursion, because the patch may be nested deeply: `1` and `1.0` differ. */
function equalTexts(container: object, at: string | number, other: object, otherAt: string | number): boolean {
  const valueIn = (holder: object, key: string | number): Json | undefined =>
    Array.isArray(holder) ? holder[Number(key)] : getKey(holder as JsonObject, String(key));
  const pairs: [object, string | number, object, string | number][] = [[container, at, other, otherAt]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const a = valueIn(pair[0], pair[1]) as Json;
    const b = valueIn(pair[2], pair[3]);
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      for (const index of a.keys()) pairs.push([a, index, b, index]);
    } else if (isObject(a)) {
      if (!isObject(b)) return false;
      const keys = Object.keys(a).filter((key) => a[key] !== undefined);
      if (keys.length !== Object.keys(b).filter((key) => b[key] !== undefined).length) return false;
      for (const key of keys) pairs.push([a, key, b, key]);
    } else if (b === undefined || rawText(pair[0], pair[1], a) !== rawText(pair[2], pair[3], b)) return false;
  }
  return true;
}

function rawText(container: object, at: string | number, value: Json): string {
  return writtenText(container, at, value) ?? encodeJson(value);
}
