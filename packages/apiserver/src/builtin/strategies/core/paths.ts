import { type FieldError, invalidValue } from "@kubewright/cel/validation";

/** Checks that a path doesn't lead out of its directory. */
export function withoutParentSteps(text: string, path: string): FieldError[] {
  return text.split("/").includes("..") ? [invalidValue(path, text, "must not contain '..'")] : [];
}

/**
 * Checks a path in a directory.
 *
 * @param text - the path
 * @param path - its field
 * @param mayBeAbsolute - true for paths from the root
 * @returns the errors
 */
export function localPathErrors(text: string, path: string, mayBeAbsolute = false): FieldError[] {
  const absolute = !mayBeAbsolute && text.startsWith("/") ? [invalidValue(path, text, "must be a relative path")] : [];
  return [...absolute, ...withoutParentSteps(text, path)];
}

/** Checks a path in a directory that must not begin with `..` either, such as `..data`. */
export function localNameErrors(text: string, path: string): FieldError[] {
  const errors = localPathErrors(text, path);
  if (!text.startsWith("..") || text.startsWith("../") || text === "..") return errors;
  return [...errors, invalidValue(path, text, "must not start with '..'")];
}
