// The files that volumes of ConfigMaps, Secrets and fields of a Pod have in common with projected volumes.
import type { Json, JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue, isConfigMapKey, required } from "@kubewright/cel/validation";
import { fieldsOf, invalidFor, isSet, numberOf, objectsOf, textOf } from "../../fields/fields.ts";
import { fieldReferenceErrors, resourceReferenceErrors, volumeFields } from "../container/environment.ts";
import { localNameErrors } from "../paths.ts";

const modeRange = "must be a number between 0 and 0777 (octal), both inclusive";

/** Checks the permissions of files. */
export function modeErrors(mode: Json | undefined, path: string): FieldError[] {
  if (!isSet(mode) || (numberOf(mode) >= 0 && numberOf(mode) <= 0o777)) return [];
  return [invalidValue(path, mode, modeRange)];
}

/** Checks the files that contain values of a ConfigMap or a Secret. */
export function itemErrors(source: JsonObject, path: string): FieldError[] {
  return objectsOf(source.items).flatMap((item, index) => {
    const at = `${path}.items[${index}]`;
    const [key, to] = [textOf(item.key), textOf(item.path)];
    return [
      ...(key === "" ? [required(`${at}.key`, "")] : invalidFor(`${at}.key`, key, isConfigMapKey(key))),
      ...(to === "" ? [required(`${at}.path`, "")] : []),
      ...localNameErrors(to, `${at}.path`),
      ...modeErrors(item.mode, `${at}.mode`),
    ];
  });
}

function downwardErrors(item: JsonObject, at: string): FieldError[] {
  const to = textOf(item.path);
  const errors: FieldError[] = to === "" ? [required(`${at}.path`, "")] : [];
  errors.push(...localNameErrors(to, `${at}.path`));
  if (isSet(item.fieldRef)) {
    errors.push(...fieldReferenceErrors(fieldsOf(item.fieldRef), `${at}.fieldRef`, volumeFields));
    if (isSet(item.resourceFieldRef)) {
      errors.push(invalidValue(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"));
    }
  } else if (isSet(item.resourceFieldRef)) {
    errors.push(...resourceReferenceErrors(fieldsOf(item.resourceFieldRef), `${at}.resourceFieldRef`, true));
  } else errors.push(required(at, "one of fieldRef and resourceFieldRef is required"));
  return [...errors, ...modeErrors(item.mode, `${at}.mode`)];
}

/** Checks the files that contain fields of a Pod. The server leaves the index of an item out of its paths. */
export function downwardItems(source: JsonObject, path: string): FieldError[] {
  return objectsOf(source.items).flatMap((item) => downwardErrors(item, path));
}
