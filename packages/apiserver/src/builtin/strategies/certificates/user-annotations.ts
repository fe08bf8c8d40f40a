import { byteLength, type Json } from "@kubewright/cel/json";
import { type FieldError, invalidValue, isQualifiedName, required, tooLong } from "@kubewright/cel/validation";
import { fieldsOf, invalidFor, sortedKeys, textOf } from "../fields/fields.ts";

const annotationsLimit = 256 * 1024;

/**
 * Checks the annotations for a signer, whose keys have a domain.
 *
 * @param annotations - the annotations
 * @param path - their path
 * @returns the errors
 */
export function userAnnotationErrors(annotations: Json | undefined, path: string): FieldError[] {
  const values = fieldsOf(annotations);
  const keys = sortedKeys(annotations);
  const size = keys.reduce((sum, key) => sum + byteLength(key) + byteLength(textOf(values[key])), 0);
  return [
    ...keys.flatMap((key) => keyErrors(key.toLowerCase(), path)),
    ...(size > annotationsLimit ? [tooLong(path, annotationsLimit)] : []),
  ];
}

function keyErrors(key: string, path: string): FieldError[] {
  if (key === "") return [required(path, "")];
  const problems = isQualifiedName(key);
  if (problems.length > 0 || key.includes("/")) return invalidFor(path, key, problems);
  return [invalidValue(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
}
