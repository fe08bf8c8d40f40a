import type { JsonObject } from "../../../json/json.ts";
import { equalJson } from "../../../json/values.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { duplicateValue, forbiddenValue } from "../../../request/paths.ts";
import { fieldsOf, isSet, objectsOf, textOf } from "../fields.ts";
import { commonErrors } from "./containers.ts";
import { volumeErrors } from "./volumes.ts";

const root = "spec.ephemeralContainers";
const notAllowed = "cannot be set for an Ephemeral Container";
const withoutUse = [
  "ports",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
  "resources",
  "resizePolicy",
];

/**
 * Checks an update of ephemeral containers: they can be added, and neither change nor go.
 *
 * @param object - the new Pod
 * @param old - the stored Pod
 * @returns the errors
 */
export function ephemeralContainerErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const containers = objectsOf(spec.ephemeralContainers);
  const names = new Set(
    [...objectsOf(spec.containers), ...objectsOf(spec.initContainers)].map(({ name }) => textOf(name)),
  );
  const targets = new Set(names);
  const claims = objectsOf(spec.resourceClaims).map(({ name }) => textOf(name));
  const parts = { volumes: volumeErrors(spec, "spec").volumes, claims, spec };
  const errors = containers.flatMap((container, index) => {
    const at = `${root}[${index}]`;
    const own = commonErrors(container, at, parts);
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
  return [...errors, ...changeErrors(containers, objectsOf(fieldsOf(old.spec).ephemeralContainers))];
}

function isUsed(value: JsonObject[string] | undefined): boolean {
  return isSet(value) && !(typeof value === "object" && Object.keys(value as object).length === 0);
}

function changeErrors(containers: readonly JsonObject[], before: readonly JsonObject[]): FieldError[] {
  const now = new Map(containers.map((container) => [textOf(container.name), container]));
  return before.flatMap((container) => {
    const name = textOf(container.name);
    const present = now.get(name);
    if (present !== undefined && equalJson(present, container)) return [];
    const what = present === undefined ? "removed" : "changed";
    return [forbiddenValue(root, `existing ephemeral containers ${JSON.stringify(name)} may not be ${what}\n`)];
  });
}
