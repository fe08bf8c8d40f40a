import type { Json, JsonObject } from "../../../json/json.ts";
import { validateLabels } from "../../../metadata/validate.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { duplicateValue, forbiddenValue, invalidValue, notSupported, required } from "../../../request/paths.ts";
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName } from "../../../validation/name-rules.ts";
import {
  fieldsOf,
  invalidFor,
  isSet,
  numberOf,
  objectsOf,
  optionalName,
  optionalOneOf,
  textOf,
  textsOf,
} from "../fields.ts";
import { addressErrors } from "./addresses.ts";
import { containersErrors } from "./containers.ts";
import { podResourceNameErrors } from "./resource-names.ts";
import { resourceErrors } from "./resources.ts";
import { affinityErrors, spreadErrors } from "./scheduling.ts";
import { hostNetworkErrors, hostUsersErrors, podSecurityErrors } from "./security-context.ts";
import { tolerationErrors } from "./tolerations.ts";
import { volumeErrors } from "./volumes.ts";

/** Checks an optional text, which must be one of a few if it isn't empty. */
function chosen(value: Json | undefined, path: string, supported: readonly string[]): FieldError[] {
  const text = textOf(value);
  if (text === "") return [required(path, "")];
  return supported.includes(text) ? [] : [notSupported(path, text, supported)];
}

function dnsErrors(spec: JsonObject, path: string): FieldError[] {
  const config = fieldsOf(spec.dnsConfig);
  const servers = textsOf(config.nameservers);
  if (spec.dnsPolicy === "None") {
    if (!isSet(spec.dnsConfig)) {
      return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
    }
    if (servers.length === 0) {
      const detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
      return [required(`${path}.nameservers`, detail)];
    }
  }
  const errors: FieldError[] = [];
  if (servers.length > 3) {
    errors.push(invalidValue(`${path}.nameservers`, servers, "must not have more than 3 nameservers"));
  }
  for (const [index, server] of servers.entries()) {
    errors.push(...addressErrors(server, `${path}.nameservers[${index}]`));
  }
  for (const [index, search] of textsOf(config.searches).entries()) {
    if (search === ".") continue;
    const text = search.replace(/\.$/, "");
    // Search paths may contain underscores, unlike other domains.
    if (/^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/.test(text)) continue;
    const detail =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";
    errors.push(invalidValue(`${path}.searches[${index}]`, text, detail));
  }
  for (const [index, option] of objectsOf(config.options).entries()) {
    if (textOf(option.name) === "") errors.push(required(`${path}.options[${index}]`, "must not be empty"));
  }
  return errors;
}

function gateErrors(spec: JsonObject, path: string): FieldError[] {
  const errors = objectsOf(spec.readinessGates).flatMap(({ conditionType }, index) => {
    const type = textOf(conditionType);
    return invalidFor(`${path}.readinessGates[${index}].conditionType`, type, isQualifiedName(type));
  });
  const seen = new Set<string>();
  for (const [index, gate] of objectsOf(spec.schedulingGates).entries()) {
    const name = textOf(gate.name);
    const at = `${path}.schedulingGates[${index}]`;
    errors.push(...invalidFor(at, name, isQualifiedName(name)));
    if (seen.has(name)) errors.push(duplicateValue(at, name));
    seen.add(name);
  }
  return errors;
}

function aliasErrors(spec: JsonObject, path: string): FieldError[] {
  return objectsOf(spec.hostAliases).flatMap(({ ip, hostnames }, index) => {
    const at = `${path}.hostAliases[${index}]`;
    return [
      ...addressErrors(textOf(ip), `${at}.ip`),
      ...textsOf(hostnames).flatMap((name, place) =>
        invalidFor(`${at}.hostnames[${place}]`, name, isDNS1123Subdomain(name)),
      ),
    ];
  });
}

function osErrors(spec: JsonObject, path: string): FieldError[] {
  if (!isSet(spec.os)) return [];
  const name = textOf(fieldsOf(spec.os).name);
  if (name === "") return [required(`${path}.os.name`, "cannot be empty")];
  return name === "linux" || name === "windows" ? [] : [notSupported(`${path}.os`, name, ["linux", "windows"])];
}

/** Checks the resources that all containers of a Pod share. */
function sharedResourceErrors(spec: JsonObject, path: string): FieldError[] {
  if (!isSet(spec.resources)) return [];
  if (fieldsOf(spec.os).name === "windows") return [forbiddenValue(path, "may not be set for a windows pod")];
  const resources = fieldsOf(spec.resources);
  const claims = isSet(resources.claims)
    ? [forbiddenValue(`${path}.claims`, "claims may not be set for Resources at pod-level")]
    : [];
  return [...claims, ...resourceErrors(resources, path, [], podResourceNameErrors)];
}

/** Checks the claims of devices. */
function resourceClaimErrors(spec: JsonObject, path: string): FieldError[] {
  const names = new Set<string>();
  return objectsOf(spec.resourceClaims).flatMap((claim, index) => {
    const at = `${path}[${index}]`;
    const name = textOf(claim.name);
    const errors = name === "" ? [required(`${at}.name`, "")] : invalidFor(`${at}.name`, name, isDNS1123Label(name));
    if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    names.add(name);
    const shown = {
      Name: name,
      ResourceClaimName: claim.resourceClaimName ?? null,
      ResourceClaimTemplateName: claim.resourceClaimTemplateName ?? null,
    };
    const which = "one of: `resourceClaimName`, `resourceClaimTemplateName`";
    if (isSet(claim.resourceClaimName) && isSet(claim.resourceClaimTemplateName)) {
      errors.push(invalidValue(at, shown, `at most ${which} may be specified`));
    } else if (!isSet(claim.resourceClaimName) && !isSet(claim.resourceClaimTemplateName)) {
      errors.push(invalidValue(at, shown, `must specify ${which}`));
    }
    for (const key of ["resourceClaimName", "resourceClaimTemplateName"]) {
      if (!isSet(claim[key])) continue;
      errors.push(...invalidFor(`${at}.${key}`, textOf(claim[key]), isDNS1123Subdomain(textOf(claim[key]))));
    }
    return errors;
  });
}

/**
 * Checks the specification of a Pod or of a template.
 *
 * @param spec - the specification
 * @param path - its path
 * @returns the errors
 */
export function podSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const { errors: found, volumes } = volumeErrors(spec, path);
  const claims = objectsOf(spec.resourceClaims).map(({ name }) => textOf(name));
  const grace = `${path}.terminationGracePeriodSeconds`;
  const deadline = spec.activeDeadlineSeconds;
  const errors: FieldError[] = isSet(spec.terminationGracePeriodSeconds) ? [] : [required(grace, "")];
  errors.push(...resourceClaimErrors(spec, `${path}.resourceClaims`));
  errors.push(...found, ...containersErrors({ volumes, claims, spec }, path));
  errors.push(...sharedResourceErrors(spec, `${path}.resources`), ...hostNetworkErrors(spec, path));
  errors.push(...chosen(spec.restartPolicy, `${path}.restartPolicy`, ["Always", "OnFailure", "Never"]));
  const dns = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
  errors.push(...chosen(spec.dnsPolicy, `${path}.dnsPolicy`, dns));
  errors.push(...validateLabels(spec.nodeSelector, `${path}.nodeSelector`));
  errors.push(...podSecurityErrors(spec, path));
  errors.push(...affinityErrors(fieldsOf(spec.affinity), `${path}.affinity`));
  errors.push(...dnsErrors(spec, `${path}.dnsConfig`), ...gateErrors(spec, path));
  errors.push(...spreadErrors(objectsOf(spec.topologySpreadConstraints), `${path}.topologySpreadConstraints`));
  errors.push(...hostUsersErrors(spec, path));
  errors.push(...optionalName(spec.serviceAccountName, `${path}.serviceAccountName`, isDNS1123Subdomain));
  errors.push(...optionalName(spec.nodeName, `${path}.nodeName`, isDNS1123Subdomain));
  if (isSet(deadline) && (numberOf(deadline) < 1 || numberOf(deadline) > 2 ** 31 - 1)) {
    errors.push(invalidValue(`${path}.activeDeadlineSeconds`, deadline, "must be between 1 and 2147483647, inclusive"));
  }
  errors.push(...optionalName(spec.hostname, `${path}.hostname`, isDNS1123Label));
  errors.push(...optionalName(spec.subdomain, `${path}.subdomain`, isDNS1123Label));
  errors.push(...tolerationErrors(objectsOf(spec.tolerations), (index) => `${path}.tolerations[${index}]`));
  errors.push(...aliasErrors(spec, path));
  errors.push(...optionalName(spec.priorityClassName, `${path}.priorityClassName`, isDNS1123Subdomain));
  errors.push(...optionalName(spec.runtimeClassName, `${path}.runtimeClassName`, isDNS1123Subdomain));
  const preemption = ["Never", "PreemptLowerPriority"];
  errors.push(...optionalOneOf(spec.preemptionPolicy, `${path}.preemptionPolicy`, preemption));
  if (isSet(spec.overhead)) errors.push(...resourceErrors({ limits: spec.overhead }, `${path}.overhead`, []));
  return [...errors, ...osErrors(spec, path)];
}
