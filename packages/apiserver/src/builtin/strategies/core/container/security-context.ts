import { byteLength, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  tooLong,
} from "@kubewright/cel/validation";
import { internalForm } from "../../../codec/internal-form.ts";
import { fieldsOf, isSet, numberOf, objectsOf, oneOf, optionalOneOf, textOf, textsOf } from "../../fields/fields.ts";
import { localPathErrors } from "../paths.ts";
import { allContainers } from "./all-containers.ts";
import { windowsOptionsErrors } from "./windows-options.ts";

const sysctlPart = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const sysctl = `(${sysctlPart}[\\./])*${sysctlPart}`;
// The names of the kernel's parameters for processes that share memory and messages.
const interProcess = /^(kernel\.(sem|shm(all|max|mni|_rmid_forced)?|msg(max|mnb|mni)?)$|fs\.mqueue\.)/;
const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];
const longestPath = 4095;
const range = "must be between 0 and 2147483647, inclusive";

/** Checks the number of a user or a group. */
export function identifierErrors(value: Json | undefined, path: string): FieldError[] {
  if (!isSet(value) || (numberOf(value) >= 0 && numberOf(value) < 2 ** 31)) return [];
  return [invalidValue(path, value, range)];
}

function seccompErrors(value: Json | undefined, path: string): FieldError[] {
  if (!isSet(value)) return [];
  const { type, localhostProfile: profile } = fieldsOf(value);
  if (type === "Localhost") {
    if (isSet(profile)) return localPathErrors(textOf(profile), `${path}.localhostProfile`);
    return [required(`${path}.localhostProfile`, "must be set when seccomp type is Localhost")];
  }
  const errors =
    textOf(type) === ""
      ? [required(`${path}.type`, "type is required when seccompProfile is set")]
      : oneOf(type, `${path}.type`, profileTypes);
  if (isSet(profile)) {
    const shown = internalForm("core.SeccompProfile", value);
    errors.push(invalidValue(`${path}.localhostProfile`, shown, "can only be set when seccomp type is Localhost"));
  }
  return errors;
}

function localAppArmorErrors(profile: Json | undefined, path: string): FieldError[] {
  const name = textOf(profile);
  const errors: FieldError[] = [];
  if (name !== name.trim()) errors.push(invalidValue(path, name, "must not be padded with whitespace"));
  else if (name === "") errors.push(required(path, "must be set when AppArmor type is Localhost"));
  return byteLength(name) > longestPath ? [...errors, tooLong(path, longestPath)] : errors;
}

/** Checks a profile of AppArmor. */
export function appArmorErrors(value: Json | undefined, path: string): FieldError[] {
  if (!isSet(value)) return [];
  const { type, localhostProfile: profile } = fieldsOf(value);
  if (type === "Localhost") return localAppArmorErrors(profile, `${path}.localhostProfile`);
  if (textOf(type) === "") return [required(`${path}.type`, "type is required when appArmorProfile is set")];
  const errors = oneOf(type, `${path}.type`, profileTypes);
  if (errors.length > 0 || !isSet(profile)) return errors;
  return [invalidValue(`${path}.localhostProfile`, profile, "can only be set when AppArmor type is Localhost")];
}

/** Checks the security context of a container. */
export function containerSecurityErrors(value: Json | undefined, path: string, spec: JsonObject): FieldError[] {
  if (!isSet(value)) return [];
  const context = fieldsOf(value);
  const { procMount } = context;
  const errors = [
    ...identifierErrors(context.runAsUser, `${path}.runAsUser`),
    ...identifierErrors(context.runAsGroup, `${path}.runAsGroup`),
    ...optionalOneOf(procMount, `${path}.procMount`, ["Default", "Unmasked"]),
    ...(procMount === "Unmasked" && spec.hostUsers !== false
      ? [invalidValue(`${path}.procMount`, procMount, "`hostUsers` must be false to use `Unmasked`")]
      : []),
    ...seccompErrors(context.seccompProfile, `${path}.seccompProfile`),
  ];
  if (context.allowPrivilegeEscalation === false) {
    const refuse = (what: string): number =>
      errors.push(
        invalidValue(
          path,
          internalForm("core.SecurityContext", context),
          `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
        ),
      );
    if (context.privileged === true) refuse("`privileged` to true");
    if (textsOf(fieldsOf(context.capabilities).add).includes("CAP_SYS_ADMIN")) {
      refuse("`capabilities.Add` CAP_SYS_ADMIN");
    }
  }
  errors.push(...windowsOptionsErrors(context.windowsOptions, `${path}.windowsOptions`));
  return [...errors, ...appArmorErrors(context.appArmorProfile, `${path}.appArmorProfile`)];
}

/** Checks the security context of a Pod. */
export function podSecurityErrors(spec: JsonObject, root: string): FieldError[] {
  const context = fieldsOf(spec.securityContext);
  const path = `${root}.securityContext`;
  const errors: FieldError[] = [];
  const groups = Array.isArray(context.supplementalGroups) ? context.supplementalGroups : [];
  errors.push(...identifierErrors(context.fsGroup, `${path}.fsGroup`));
  errors.push(...identifierErrors(context.runAsUser, `${path}.runAsUser`));
  errors.push(...identifierErrors(context.runAsGroup, `${path}.runAsGroup`));
  for (const [index, group] of groups.entries()) {
    errors.push(...identifierErrors(group, `${path}.supplementalGroups[${index}]`));
  }
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    errors.push(
      invalidValue(`${root}.shareProcessNamespace`, true, "ShareProcessNamespace and HostPID cannot both be enabled"),
    );
  }
  errors.push(...sysctlErrors(objectsOf(context.sysctls), `${path}.sysctls`, spec));
  errors.push(
    ...optionalOneOf(context.fsGroupChangePolicy, `${path}.fsGroupChangePolicy`, ["Always", "OnRootMismatch"]),
  );
  errors.push(...seccompErrors(context.seccompProfile, `${path}.seccompProfile`));
  errors.push(...windowsOptionsErrors(context.windowsOptions, `${path}.windowsOptions`));
  errors.push(...appArmorErrors(context.appArmorProfile, `${path}.appArmorProfile`));
  errors.push(
    ...optionalOneOf(context.supplementalGroupsPolicy, `${path}.supplementalGroupsPolicy`, ["Merge", "Strict"]),
  );
  const changePolicies = ["MountOption", "Recursive"];
  return [...errors, ...optionalOneOf(context.seLinuxChangePolicy, `${path}.seLinuxChangePolicy`, changePolicies)];
}

/** Returns a sysctl with its parts separated by dots, as the kernel's tools show it. */
function dotted(name: string): string {
  if (!/^[^.]*\//.test(name)) return name;
  return name.replaceAll(/[./]/g, (separator) => (separator === "/" ? "." : "/"));
}

function sysctlErrors(sysctls: readonly JsonObject[], path: string, spec: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return sysctls.flatMap((one, index) => {
    const at = `${path}[${index}].name`;
    const name = textOf(one.name);
    const errors: FieldError[] = [];
    const normal = dotted(name);
    if (name === "") errors.push(required(at, ""));
    else if (name.length > 253 || !new RegExp(`^${sysctl}$`).test(name)) {
      errors.push(invalidValue(at, name, `must have at most 253 characters and match regex ^${sysctl}$`));
    } else if (seen.has(name)) errors.push(duplicateValue(at, name));
    seen.add(name);
    if (spec.hostNetwork === true && normal.startsWith("net.")) {
      errors.push(invalidValue(at, name, "may not be specified when 'hostNetwork' is true"));
    } else if (spec.hostIPC === true && interProcess.test(normal)) {
      errors.push(invalidValue(at, name, "may not be specified when 'hostIPC' is true"));
    }
    return errors;
  });
}

/**
 * Checks that a Pod of the host's network doesn't map its ports.
 *
 * @param spec - the specification
 * @param path - its path
 * @param isTemplate - true for templates, whose Pods get the ports that are missing
 * @returns the errors
 */
export function hostNetworkErrors(spec: JsonObject, path: string, isTemplate: boolean): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return objectsOf(spec.containers).flatMap((container, index) =>
    objectsOf(container.ports).flatMap((port, place) => {
      const [number, host] = [numberOf(port.containerPort), numberOf(port.hostPort)];
      if (number === host || (isTemplate && host === 0)) return [];
      const at = `${path}.containers[${index}].ports[${place}].hostPort`;
      return [invalidValue(at, host, "must match `containerPort` when `hostNetwork` is true")];
    }),
  );
}

/** Checks that a Pod with users of its own doesn't use namespaces and devices of the host. */
export function hostUsersErrors(spec: JsonObject, path: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const detail = "when `hostUsers` is false";
  // The server names the fields by its internal type here.
  const shown = { hostNetwork: "hostNetwork", hostPID: "HostPID", hostIPC: "HostIPC" };
  const errors = Object.entries(shown).flatMap(([key, name]) =>
    spec[key] === true ? [forbiddenValue(`${path}.${name}`, detail)] : [],
  );
  for (const [at, { volumeDevices }] of allContainers(spec, path)) {
    if (objectsOf(volumeDevices).length > 0) errors.push(forbiddenValue(`${at}.volumeDevices`, detail));
  }
  return errors;
}
