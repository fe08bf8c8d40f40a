import type { JsonPatchOperation } from "../client/patch.ts";
import { cloneJson } from "../json/clone.ts";
import { setField } from "../json/object.ts";

/** A JSON patch operation that can't be applied to the document. */
export class PatchError extends Error {
  override readonly name: string = "PatchError";
}

type Container = Record<string, unknown> | unknown[];

/**
 * Applies a JSON patch (RFC 6902) to a copy of a document.
 *
 * @throws `PatchError` if an operation can't be applied
 */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  // The wrapper allows replacing the whole document like any other value.
  const root = { document: cloneJson(document) };
  for (const operation of operations) applyOperation(root, operation);
  return root.document;
}

function applyOperation(root: Container, operation: JsonPatchOperation): void {
  const { op, path } = operation;
  if (op === "add") add(root, path, cloneJson(operation.value));
  else if (op === "remove") remove(root, path);
  else if (op === "replace") replace(root, path, cloneJson(operation.value));
  else if (op === "copy") add(root, path, cloneJson(read(root, operation.from)));
  else if (op === "move") {
    if (path !== operation.from && `${path}/`.startsWith(`${operation.from}/`)) {
      throw new PatchError(`move: ${path} is inside of ${operation.from}`);
    }
    add(root, path, remove(root, operation.from));
  } else if (op === "test") {
    if (!same(read(root, path), operation.value)) throw new PatchError(`test: ${path} has another value`);
  } else throw new PatchError(`unknown operation ${JSON.stringify(op)}`);
}

function replace(root: Container, path: string, value: unknown): void {
  const { container, key } = locate(root, path);
  if (!has(container, key)) throw new PatchError(`replace: ${path} doesn't exist`);
  assign(container, key, value);
}

function add(root: Container, path: string, value: unknown): void {
  const { container, key } = locate(root, path);
  if (!Array.isArray(container)) {
    assign(container, key, value);
    return;
  }
  const index = key === "-" ? container.length : indexOf(key);
  if (index > container.length) throw new PatchError(`add: ${path} is beyond the end of the list`);
  container.splice(index, 0, value);
}

function remove(root: Container, path: string): unknown {
  const { container, key } = locate(root, path);
  if (!has(container, key)) throw new PatchError(`remove: ${path} doesn't exist`);
  if (Array.isArray(container)) return container.splice(indexOf(key), 1)[0];
  const value = container[key];
  delete container[key];
  return value;
}

function read(root: Container, path: string): unknown {
  const { container, key } = locate(root, path);
  if (!has(container, key)) throw new PatchError(`${path} doesn't exist`);
  return (container as Record<string, unknown>)[key];
}

function locate(root: Container, path: string): { container: Container; key: string } {
  if (typeof path !== "string" || (path !== "" && !path.startsWith("/"))) {
    throw new PatchError(`${JSON.stringify(path)} isn't a valid path: it must start with /`);
  }
  const keys = `/document${path}`
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = keys.pop() ?? "";
  let container = root;
  for (const step of keys) {
    const next = has(container, step) ? (container as Record<string, unknown>)[step] : undefined;
    if (typeof next !== "object" || next === null) throw new PatchError(`${path} doesn't exist`);
    container = next as Container;
  }
  return { container, key };
}

function has(container: Container, key: string): boolean {
  return Array.isArray(container) ? indexOf(key) < container.length : Object.hasOwn(container, key);
}

function assign(container: Container, key: string, value: unknown): void {
  setField(container, key, value);
}

function indexOf(key: string): number {
  if (!/^(0|[1-9]\d*)$/.test(key)) throw new PatchError(`${JSON.stringify(key)} isn't a valid index of a list`);
  return Number(key);
}

/** Checks whether two JSON values are equal, ignoring the order of keys. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b)) return false;
    return a.length === b.length && a.every((value, index) => same(value, b[index]));
  }
  const keys = Object.keys(a);
  const other = b as Record<string, unknown>;
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], other[key]))
  );
}
