import type { Json, JsonObject } from "../../../json/json.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { duplicateValue, forbiddenValue, invalidValue, notSupported, required } from "../../../request/paths.ts";
import { internalForm } from "../../codec/internal-form.ts";
import { fieldsOf, isSet, numberOf, objectsOf, optionalOneOf, textOf, textsOf } from "../fields.ts";
import { localPathErrors } from "./paths.ts";
import { windowsOptionsErrors } from "./windows-options.ts";

const sysctlPart = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const sysctl = `(${sysctlPart}[\\./])*${sysctlPart}`;
const range = "must be between 0 and 2147483647, inclusive";

function identifierErrors(value: Json | undefined, path: string): FieldError[] {
  if (!isSet(value) || (numberOf(value) >= 0 && numberOf(value) < 2 ** 31)) return [];
  return [invalidValue(path, value, range)];
}

function seccompErrors(value: Json | undefined, path: string): FieldError[] {
  if (!isSet(value)) return [];
  const { type, localhostProfile: profile } = fieldsOf(value);
  if (textOf(type) === "") return [required(`${path}.type`, "type is required when seccompProfile is set")];
  if (type === "Localhost") {
    if (isSet(profile)) return localPathErrors(textOf(profile), `${path}.localhostProfile`);
    return [required(`${path}.localhostProfile`, "must be set when seccomp type is Localhost")];
  }
  const errors: FieldError[] = [];
  if (isSet(profile)) {
    const shown = { Type: type ?? "", LocalhostProfile: profile };
    errors.push(invalidValue(`${path}.localhostProfile`, shown, "can only be set when seccomp type is Localhost"));
  }
  if (type === "RuntimeDefault" || type === "Unconfined") return errors;
  return [...errors, notSupported(`${path}.type`, type ?? "", ["Localhost", "RuntimeDefault", "Unconfined"])];
}

function appArmorErrors(value: Json | undefined, path: string): FieldError[] {
  if (!isSet(value)) return [];
  const { type, localhostProfile: profile } = fieldsOf(value);
  if (type === "Localhost") {
    if (isSet(profile)) return [];
    return [required(`${path}.localhostProfile`, "must be set when AppArmor type is Localhost")];
  }
  const errors: FieldError[] = [];
  if (type !== "RuntimeDefault" && type !== "Unconfined") {
    const types = ["Localhost", "RuntimeDefault", "Unconfined"];
    errors.push(
      textOf(type) === ""
        ? required(`${path}.type`, "type is required when appArmorProfile is set")
        : notSupported(`${path}.type`, type ?? "", types),
    );
  } else if (isSet(profile)) {
    const detail = "can only be set when AppArmor type is Localhost";
    errors.push(invalidValue(`${path}.localhostProfile`, profile, detail));
  }
  return errors;
}

/** Checks the security context of a container. */
export function containerSecurityErrors(value: Json | undefined, path: string): FieldError[] {
  if (!isSet(value)) return [];
  const context = fieldsOf(value);
  const errors = [
    ...identifierErrors(context.runAsUser, `${path}.runAsUser`),
    ...identifierErrors(context.runAsGroup, `${path}.runAsGroup`),
    ...optionalOneOf(context.procMount, `${path}.procMount`, ["Default", "Unmasked"]),
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
      invalidValue(`${path}.shareProcessNamespace`, true, "ShareProcessNamespace and HostPID cannot both be enabled"),
    );
  }
  errors.push(...sysctlErrors(objectsOf(context.sysctls), `${path}.sysctls`, spec));
  errors.push(
    ...optionalOneOf(context.fsGroupChangePolicy, `${path}.fsGroupChangePolicy`, ["Always", "OnRootMismatch"]),
  );
  errors.push(...seccompErrors(context.seccompProfile, `${path}.seccompProfile`));
  errors.push(...windowsOptionsErrors(context.windowsOptions, `${path}.windowsOptions`));
  errors.push(
    ...optionalOneOf(context.supplementalGroupsPolicy, `${path}.supplementalGroupsPolicy`, ["Merge", "Strict"]),
  );
  errors.push(...appArmorErrors(context.appArmorProfile, `${path}.appArmorProfile`));
  return [...errors, ...optionalOneOf(context.seLinuxChangePolicy, `${path}.seLinuxChangePolicy`, ["Recursive"])];
}

function sysctlErrors(sysctls: readonly JsonObject[], path: string, spec: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return sysctls.flatMap((one, index) => {
    const at = `${path}[${index}].name`;
    const name = textOf(one.name);
    const errors: FieldError[] = [];
    const normal = name.replaceAll("/", ".");
    if (name === "") errors.push(required(at, ""));
    else if (name.length > 253 || !new RegExp(`^${sysctl}$`).test(name)) {
      errors.push(invalidValue(at, name, `must have at most 253 characters and match regex ^${sysctl}$`));
    } else if (seen.has(name)) errors.push(duplicateValue(at, name));
    seen.add(name);
    if (spec.hostNetwork === true && normal.startsWith("net.")) {
      errors.push(invalidValue(at, name, "may not be specified when 'hostNetwork' is true"));
    }
    return errors;
  });
}

/** Checks that a Pod of the host's network doesn't map its ports. */
export function hostNetworkErrors(spec: JsonObject, path: string): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  const keys = ["containers", "initContainers"];
  return keys.flatMap((key) =>
    objectsOf(spec[key]).flatMap((container, index) =>
      objectsOf(container.ports).flatMap((port, place) => {
        const [number, host] = [numberOf(port.containerPort), numberOf(port.hostPort)];
        if (number === host) return [];
        const at = `${path}.${key}[${index}].ports[${place}].hostPort`;
        return [invalidValue(at, host, "must match `containerPort` when `hostNetwork` is true")];
      }),
    ),
  );
}

/** Checks that a Pod with users of its own doesn't use namespaces of the host. */
export function hostUsersErrors(spec: JsonObject, path: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  return ["hostNetwork", "hostPID", "hostIPC"].flatMap((key) =>
    spec[key] === true ? [forbiddenValue(`${path}.${key}`, "when `hostUsers` is false")] : [],
  );
}
