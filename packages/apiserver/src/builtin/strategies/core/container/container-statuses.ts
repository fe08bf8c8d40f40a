import { byteLength, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  tooLong,
} from "@kubewright/cel/validation";
import { fieldsOf, isSet, numberOf, objectsOf, oneOf, textOf } from "../../fields/fields.ts";
import { identifierErrors } from "./security-context.ts";

const kinds = ["containers", "initContainers", "ephemeralContainers"];
const longestMessage = 1024;

/** The field with the statuses of a kind of containers. */
function statusesOf(kind: string): string {
  return kind.replace(/s$/, "Statuses");
}

function matchingAction(container: JsonObject, exitCode: number): string | undefined {
  const rule = objectsOf(container.restartPolicyRules).find(({ exitCodes }) => {
    const { operator, values } = fieldsOf(exitCodes);
    const isListed = Array.isArray(values) && values.includes(exitCode);
    return operator === "In" ? isListed : operator === "NotIn" && !isListed;
  });
  return rule === undefined ? undefined : textOf(rule.action);
}

/** Reports whether a container starts again after it ended. */
function startsAgain(container: JsonObject | undefined, spec: JsonObject, exitCode: number): boolean {
  if (container === undefined) return false;
  if (isSet(container.restartPolicy) && matchingAction(container, exitCode) !== undefined) return true;
  const policy = textOf(container.restartPolicy) || textOf(spec.restartPolicy);
  return policy === "OnFailure" ? exitCode !== 0 : policy !== "Never";
}

function canAllRestart(spec: JsonObject): boolean {
  return [...objectsOf(spec.initContainers), ...objectsOf(spec.containers)].some(({ restartPolicyRules }) =>
    objectsOf(restartPolicyRules).some(({ action }) => action === "RestartAllContainers"),
  );
}

/**
 * Checks that containers that ended and don't start again stay so.
 *
 * @param status - the new status of the Pod
 * @param before - its stored status
 * @param spec - its specification
 * @returns the errors
 */
export function stateErrors(status: JsonObject, before: JsonObject, spec: JsonObject): FieldError[] {
  return kinds.flatMap((kind) => {
    const field = statusesOf(kind);
    const isEphemeral = kind === "ephemeralContainers";
    if (!isEphemeral && canAllRestart(spec)) return [];
    return objectsOf(before[field]).flatMap(({ name, state }, index) => {
      const { terminated } = fieldsOf(state);
      if (!isSet(terminated)) return [];
      const back = objectsOf(status[field]).filter(
        (one) => one.name === name && !isSet(fieldsOf(one.state).terminated),
      );
      const container = objectsOf(spec[kind]).find((one) => one.name === name);
      if (!isEphemeral && startsAgain(container, spec, numberOf(fieldsOf(terminated).exitCode))) return [];
      const detail = "may not be transitioned to non-terminated state";
      return (isEphemeral ? back : back.slice(0, 1)).map(() =>
        forbiddenValue(`status.${field}[${index}].state`, detail),
      );
    });
  });
}

function linuxUserErrors(value: Json | undefined, path: string): FieldError[] {
  if (!isSet(value)) return [];
  const { uid, gid, supplementalGroups } = fieldsOf(value);
  const groups = Array.isArray(supplementalGroups) ? supplementalGroups : [];
  return [
    ...runtimeUserErrors(uid, `${path}.uid`),
    ...identifierErrors(gid, `${path}.gid`),
    ...groups.flatMap((group, index) => identifierErrors(group, `${path}.supplementalGroups[${index}]`)),
  ];
}

/** Checks the number of a user as the container runtime reports it, which may be any of Linux. */
function runtimeUserErrors(value: Json | undefined, path: string): FieldError[] {
  const uid = numberOf(value);
  if (uid >= 0 && uid < 2 ** 32) return [];
  return [invalidValue(path, uid, "must be between 0 and 4294967295, inclusive")];
}

/** Checks the users of containers, which only Linux has. */
export function userErrors(status: JsonObject, spec: JsonObject): FieldError[] {
  const isWindows = fieldsOf(spec.os).name === "windows";
  return kinds.flatMap((kind) =>
    objectsOf(status[statusesOf(kind)]).flatMap(({ user }, index) => {
      const path = `status.${statusesOf(kind)}[${index}].user.linux`;
      const { linux } = fieldsOf(user);
      if (!isWindows) return linuxUserErrors(linux, path);
      return isSet(linux) ? [forbiddenValue(path, "cannot be set for a windows pod")] : [];
    }),
  );
}

function healthErrors(resources: readonly JsonObject[], path: string): FieldError[] {
  const seen = new Set<string>();
  return resources.flatMap(({ health, message, resourceID }, index) => {
    const at = `${path}[${index}]`;
    const errors = oneOf(health, `${at}.health`, ["Healthy", "Unhealthy", "Unknown"]);
    if (message === "") errors.push(required(`${at}.message`, "must be non-empty if specified"));
    else if (byteLength(textOf(message)) > longestMessage) errors.push(tooLong(`${at}.message`, longestMessage));
    const id = textOf(resourceID);
    if (seen.has(id)) errors.push(duplicateValue(`${at}.resourceID`, id));
    seen.add(id);
    return errors;
  });
}

function allocatedNameErrors(name: string, container: JsonObject, path: string): FieldError[] {
  const { claims, requests } = fieldsOf(container.resources);
  const isClaim = name.startsWith("claim:");
  const names = isClaim
    ? objectsOf(claims).map((one) => `claim:${one.name}${textOf(one.request) === "" ? "" : `/${one.request}`}`)
    : Object.keys(fieldsOf(requests));
  if (names.includes(name)) return [];
  const detail = isClaim
    ? "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
    : "must match one of the container's resource requests";
  return [invalidValue(path, name, detail)];
}

/** Checks the health of the devices that containers got. */
export function allocatedErrors(status: JsonObject, spec: JsonObject): FieldError[] {
  return kinds.flatMap((kind) =>
    objectsOf(status[statusesOf(kind)]).flatMap((one, index) => {
      const path = `status.${statusesOf(kind)}[${index}].allocatedResourcesStatus`;
      const allocated = objectsOf(one.allocatedResourcesStatus);
      if (kind === "ephemeralContainers") {
        const detail = "must not be specified in container status";
        return allocated.length > 0 ? [forbiddenValue(path, detail)] : [];
      }
      const container = objectsOf(spec[kind]).find(({ name }) => name === one.name);
      return allocated.flatMap(({ name, resources }, place) => [
        ...(container === undefined ? [] : allocatedNameErrors(textOf(name), container, `${path}[${place}].name`)),
        ...healthErrors(objectsOf(resources), `${path}[${place}].resources`),
      ]);
    }),
  );
}
