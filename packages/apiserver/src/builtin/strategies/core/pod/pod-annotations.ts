import { goQuote, type Json, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue } from "@kubewright/cel/validation";
import type { ApiObject } from "../../../../model/resource.ts";
import { fieldsOf, objectsOf, sortedKeys, textOf } from "../../fields/fields.ts";
import { localPathErrors } from "../paths.ts";

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
    ...keys.filter((key) => key === podSeccomp),
    ...keys.filter((key) => key.startsWith(containerSeccomp)),
  ]) {
    errors.push(...seccompErrors(of(key), `${path}.${key}`));
  }
  for (const key of keys.filter((key) => key.startsWith(appArmor))) {
    errors.push(...appArmorErrors(key, of(key), spec, `${path}[${key}]`));
  }
  return errors;
}

/** Reports whether a Pod mirrors one that a node runs on its own. */
export function isMirrorPod(pod: ApiObject): boolean {
  return pod.metadata.annotations?.[mirror] !== undefined;
}

/** Checks an update of the annotations of a Pod: some stay as they are. */
export function podAnnotationChangeErrors(pod: ApiObject, old: ApiObject, path: string): FieldError[] {
  const [now, before] = [pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}];
  const whatOf = (key: string): string | undefined =>
    key.startsWith(appArmor) ? "AppArmor annotations" : key === mirror ? "mirror pod annotation" : undefined;
  const refuse = (key: string, verb: string): FieldError[] => {
    const what = whatOf(key);
    return what === undefined ? [] : [forbiddenValue(`${path}[${key}]`, `may not ${verb} ${what}`)];
  };
  return [
    ...sortedKeys(before).flatMap((key) => (now[key] === before[key] ? [] : refuse(key, "remove or update"))),
    ...sortedKeys(now).flatMap((key) => (before[key] === undefined ? refuse(key, "add") : [])),
    // The server reads the annotations once more here.
    ...podAnnotationErrors(pod as JsonObject, path),
  ];
}
