import type { Json, JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, notSupported, required } from "@kubewright/cel/validation";
import { fieldsOf, isSet, textOf } from "../../fields/fields.ts";
import { allContainers } from "../container/all-containers.ts";

/** The fields that a Pod for Windows must not have, in the order in which the server reads it. */
const notOnWindows = [
  "securityContext.appArmorProfile",
  "securityContext.seLinuxOptions",
  "securityContext.seccompProfile",
  "securityContext.fsGroup",
  "securityContext.fsGroupChangePolicy",
  "securityContext.sysctls",
  "securityContext.runAsUser",
  "securityContext.runAsGroup",
  "securityContext.supplementalGroups",
  "securityContext.supplementalGroupsPolicy",
  "securityContext.seLinuxChangePolicy",
  "hostUsers",
  "hostPID",
  "hostIPC",
  "shareProcessNamespace",
];
/** The fields that the security context of a container on Windows must not have. */
const notInWindowsContainers = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

/** Reports whether a field counts as set: some are only if they are true, or a list that isn't empty. */
function isUsed(key: string, value: Json | undefined): boolean {
  if (key === "hostPID" || key === "hostIPC") return value === true;
  return key === "securityContext.sysctls" ? Array.isArray(value) && value.length > 0 : isSet(value);
}

function windowsErrors(spec: JsonObject, path: string): FieldError[] {
  const detail = "cannot be set for a windows pod";
  const used = notOnWindows.filter((key) => {
    const [first = "", second] = key.split(".");
    return isUsed(key, second === undefined ? spec[first] : fieldsOf(spec[first])[second]);
  });
  const errors = used.map((key) => forbiddenValue(`${path}.${key}`, detail));
  for (const [at, { securityContext }] of allContainers(spec, path)) {
    const own = fieldsOf(securityContext);
    const refusedKeys = notInWindowsContainers.filter((key) => isSet(own[key]));
    errors.push(...refusedKeys.map((key) => forbiddenValue(`${at}.securityContext.${key}`, detail)));
  }
  return errors;
}

function linuxErrors(spec: JsonObject, path: string): FieldError[] {
  const holders: [at: string, holder: JsonObject][] = [[path, spec], ...allContainers(spec, path)];
  return holders
    .filter(([, { securityContext }]) => isSet(fieldsOf(securityContext).windowsOptions))
    .map(([at]) =>
      forbiddenValue(`${at}.securityContext.windowsOptions`, "windows options cannot be set for a linux pod"),
    );
}

/** Checks the operating system of a Pod, and that the Pod has no options of another one. */
export function operatingSystemErrors(spec: JsonObject, path: string): FieldError[] {
  if (!isSet(spec.os)) return [];
  const name = textOf(fieldsOf(spec.os).name);
  if (name === "") return [required(`${path}.os.name`, "")];
  if (name === "windows") return windowsErrors(spec, path);
  return name === "linux" ? linuxErrors(spec, path) : [notSupported(`${path}.os`, name, ["linux", "windows"])];
}
