import { equalJson, goQuote, type JsonObject } from "@kubewright/cel/json";
import { duplicateValue, type FieldError, forbiddenValue } from "@kubewright/cel/validation";
import { changes } from "../../fields/changes.ts";
import { fieldsOf, isSet, objectsOf, textOf } from "../../fields/fields.ts";
import { commonErrors, type PodParts, trimmedImageErrors } from "./containers.ts";

const notAllowed = "cannot be set for an Ephemeral Container";
const withoutUse = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
];

/**
 * Checks the ephemeral containers of a Pod.
 *
 * @param parts - the Pod
 * @param path - the path of its specification
 * @returns the errors
 */
export function ephemeralContainerErrors(parts: PodParts, path: string): FieldError[] {
  const { spec } = parts;
  const names = new Set(
    [...objectsOf(spec.containers), ...objectsOf(spec.initContainers)].map(({ name }) => textOf(name)),
  );
  const targets = new Set(names);
  return objectsOf(spec.ephemeralContainers).flatMap((container, index) => {
    const at = `${path}.ephemeralContainers[${index}]`;
    const own = [...commonErrors(container, at, parts), ...trimmedImageErrors(container, at)];
    const name = textOf(container.name);
    if (names.has(name)) own.push(duplicateValue(`${at}.name`, name));
    names.add(name);
    const target = textOf(container.targetContainerName);
    if (target !== "" && !targets.has(target)) {
      own.push({ type: "FieldValueNotFound", field: `${at}.targetContainerName`, value: target, detail: "" });
    }
    for (const field of withoutUse) {
      if (isUsed(container[field])) own.push(forbiddenValue(`${at}.${field}`, notAllowed));
    }
    for (const [number, mount] of objectsOf(container.volumeMounts).entries()) {
      for (const field of ["subPath", "subPathExpr"]) {
        if (textOf(mount[field]) === "") continue;
        own.push(forbiddenValue(`${at}.volumeMounts[${number}].${field}`, notAllowed));
      }
    }
    return own;
  });
}

function isUsed(value: JsonObject[string] | undefined): boolean {
  return isSet(value) && !(typeof value === "object" && Object.keys(value as object).length === 0);
}

/**
 * Checks an update of ephemeral containers: they can be added, and neither change nor go.
 *
 * @param object - the new Pod
 * @param old - the stored Pod
 * @returns the errors
 */
export function ephemeralContainerChangeErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const path = "spec.ephemeralContainers";
  const list = objectsOf(fieldsOf(object.spec).ephemeralContainers);
  const now = new Map(list.map((container) => [textOf(container.name), container]));
  return objectsOf(fieldsOf(old.spec).ephemeralContainers).flatMap((container) => {
    const name = textOf(container.name);
    const present = now.get(name);
    const which = `existing ephemeral containers ${goQuote(name)}`;
    if (present === undefined) return [forbiddenValue(path, `${which} may not be removed\n`)];
    if (equalJson(present, container)) return [];
    const difference = changes("core.EphemeralContainer", container, present);
    return [forbiddenValue(path, `${which} may not be changed\n${difference}`)];
  });
}
