import type { Json, JsonObject } from "../../../json/json.ts";
import { type FieldError, goQuote } from "../../../request/field-error.ts";
import { invalidValue } from "../../../request/paths.ts";
import { fieldsOf, objectsOf, sortedKeys, textOf } from "../fields.ts";
import { localPathErrors } from "./paths.ts";

const mirror = "kubernetes.io/config.mirror";
const deletionCost = "controller.kubernetes.io/pod-deletion-cost";
const podSeccomp = "seccomp.security.alpha.kubernetes.io/pod";
const containerSeccomp = "container.seccomp.security.alpha.kubernetes.io/";
const appArmor = "container.apparmor.security.beta.kubernetes.io/";

function isDeletionCost(text: string): boolean {
  return /^(0|-\d+|[1-9]\d*)$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}

function seccompErrors(profile: string, path: string): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  const local = "localhost/";
  if (profile.startsWith(local)) return localPathErrors(profile.slice(local.length), path);
  return [invalidValue(path, profile, "must be a valid seccomp profile")];
}

function appArmorErrors(key: string, profile: string, spec: JsonObject, path: string): FieldError[] {
  const name = key.slice(appArmor.length);
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((kind) => objectsOf(spec[kind]));
  const errors: FieldError[] = [];
  if (!containers.some((container) => container.name === name)) {
    errors.push(invalidValue(path, name, "container not found"));
  }
  if (
    profile !== "" &&
    profile !== "runtime/default" &&
    profile !== "unconfined" &&
    !profile.startsWith("localhost/")
  ) {
    errors.push(invalidValue(path, profile, `invalid AppArmor profile name: ${goQuote(profile)}`));
  }
  return errors;
}

/**
 * Checks the annotations that have a meaning for a Pod.
 *
 * @param pod - the Pod or the template
 * @param path - the path of its annotations
 * @returns the errors
 */
export function podAnnotationErrors(pod: Json | undefined, path: string): FieldError[] {
  const { metadata, spec: value } = fieldsOf(pod);
  const annotations = fieldsOf(fieldsOf(metadata).annotations);
  const spec = fieldsOf(value);
  const errors: FieldError[] = [];
  const of = (key: string): string => textOf(annotations[key]);
  if (annotations[mirror] !== undefined && textOf(spec.nodeName) === "") {
    const detail = "must set spec.nodeName if mirror pod annotation is set";
    errors.push(invalidValue(`${path}[${mirror}]`, of(mirror), detail));
  }
  if (annotations[deletionCost] !== undefined && !isDeletionCost(of(deletionCost))) {
    errors.push(invalidValue(`${path}[${deletionCost}]`, of(deletionCost), "must be a 32bit integer"));
  }
  const keys = sortedKeys(annotations);
  for (const key of [
    ...keys.filter((one) => one === podSeccomp),
    ...keys.filter((one) => one.startsWith(containerSeccomp)),
  ]) {
    errors.push(...seccompErrors(of(key), `${path}.${key}`));
  }
  for (const key of keys.filter((one) => one.startsWith(appArmor))) {
    errors.push(...appArmorErrors(key, of(key), spec, `${path}[${key}]`));
  }
  return errors;
}
