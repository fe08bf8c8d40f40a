import { byteLength, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  maxLengthError,
  notSupported,
  required,
  tooLong,
  validateLabels,
} from "@kubewright/cel/validation";
import { internalForm } from "../../../codec/internal-form.ts";
import {
  fieldsOf,
  invalidFor,
  isSet,
  numberOf,
  objectsOf,
  optionalName,
  requiredText,
  textOf,
  textsOf,
} from "../../fields/fields.ts";
import { preemptionPolicyErrors } from "../../scheduling/priority-class.ts";
import { addressErrors } from "../addresses.ts";
import { containersErrors } from "../container/containers.ts";
import { fileVolumeErrors } from "../container/environment.ts";
import { ephemeralContainerErrors } from "../container/ephemeral-containers.ts";
import { resourceErrors } from "../container/resources.ts";
import { hostNetworkErrors, hostUsersErrors, podSecurityErrors } from "../container/security-context.ts";
import { affinityErrors, spreadErrors } from "../node/scheduling.ts";
import { tolerationErrors } from "../node/tolerations.ts";
import { volumeErrors } from "../volume/volumes.ts";
import { hostProcessErrors } from "./host-process.ts";
import { operatingSystemErrors } from "./operating-system.ts";
import { podResourceErrors } from "./pod-resources.ts";

/** Checks an optional text, which must be one of a few if it isn't empty. */
function chosen(value: Json | undefined, path: string, supported: readonly string[]): FieldError[] {
  const text = textOf(value);
  if (text === "") return [required(path, "")];
  return supported.includes(text) ? [] : [notSupported(path, text, supported)];
}

/** Checks search paths, which may contain underscores, unlike other domains. */
function searchErrors(searches: string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (searches.length > 32) errors.push(invalidValue(path, searches, "must not have more than 32 search paths"));
  if (byteLength(searches.join(" ")) > 2048) {
    const detail = "must not have more than 2048 characters (including spaces) in the search list";
    errors.push(invalidValue(path, searches, detail));
  }
  for (const [index, search] of searches.entries()) {
    if (search === ".") continue;
    const text = search.replace(/\.$/, "");
    const at = `${path}[${index}]`;
    if (byteLength(text) > 253) errors.push(invalidValue(at, text, maxLengthError(253)));
    if (/^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/.test(text)) continue;
    const detail =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";
    errors.push(invalidValue(at, text, detail));
  }
  return errors;
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
  errors.push(...searchErrors(textsOf(config.searches), `${path}.searches`));
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

function hostnameErrors(spec: JsonObject, path: string): FieldError[] {
  const at = `${path}.hostnameOverride`;
  const name = spec.hostnameOverride;
  if (!isSet(name)) return [];
  const errors = ["setHostnameAsFQDN", "hostNetwork"]
    .filter((key) => spec[key] === true)
    .map((key) => forbiddenValue(at, `may not be specified when ${key} is true`));
  if (byteLength(textOf(name)) > 64) errors.push(tooLong(at, 64));
  return [...errors, ...invalidFor(at, name, isDNS1123Subdomain(textOf(name)))];
}

/** Checks the claims of devices. */
function resourceClaimErrors(spec: JsonObject, path: string, annotations: JsonObject): FieldError[] {
  const isStatic = annotations["kubernetes.io/config.mirror"] !== undefined;
  const names = new Set<string>();
  return objectsOf(spec.resourceClaims).flatMap((claim, index) => {
    const at = `${path}[${index}]`;
    const name = textOf(claim.name);
    // The server shows this path, which isn't the one of a field.
    if (isStatic) return [forbiddenValue("[]", "static pods do not support resource claims")];
    const errors = names.has(name)
      ? [duplicateValue(`${at}.name`, name)]
      : requiredText(name, `${at}.name`, isDNS1123Label);
    if (name !== "") names.add(name);
    const shown = internalForm("core.PodResourceClaim", claim);
    const sources = [claim.resourceClaimName, claim.resourceClaimTemplateName].filter(isSet);
    if (sources.length === 2) {
      const detail = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
      errors.push(invalidValue(at, shown, detail));
    } else if (sources.length === 0) {
      const detail = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
      errors.push(invalidValue(at, shown, detail));
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
 * @param pod - the metadata of the Pod; undefined for templates, to which some rules don't apply
 * @returns the errors
 */
export function podSpecErrors(spec: JsonObject, path: string, pod?: JsonObject): FieldError[] {
  const { errors: problems, volumes } = volumeErrors(spec, path, pod);
  const claims = objectsOf(spec.resourceClaims)
    .map(({ name }) => textOf(name))
    .filter((name) => name !== "");
  const parts = { volumes, claims, spec };
  const grace = `${path}.terminationGracePeriodSeconds`;
  const deadline = spec.activeDeadlineSeconds;
  const errors: FieldError[] = isSet(spec.terminationGracePeriodSeconds) ? [] : [required(grace, "")];
  errors.push(...problems, ...resourceClaimErrors(spec, `${path}.resourceClaims`, fieldsOf(pod?.annotations)));
  errors.push(...containersErrors(parts, path), ...ephemeralContainerErrors(parts, path));
  errors.push(...podResourceErrors(spec, `${path}.resources`, claims));
  errors.push(...hostNetworkErrors(spec, path, pod === undefined));
  errors.push(...chosen(spec.restartPolicy, `${path}.restartPolicy`, ["Always", "OnFailure", "Never"]));
  const dns = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
  errors.push(...chosen(spec.dnsPolicy, `${path}.dnsPolicy`, dns));
  errors.push(...validateLabels(spec.nodeSelector, `${path}.nodeSelector`));
  errors.push(...podSecurityErrors(spec, path));
  errors.push(...affinityErrors(fieldsOf(spec.affinity), `${path}.affinity`));
  errors.push(...dnsErrors(spec, `${path}.dnsConfig`), ...gateErrors(spec, path));
  errors.push(...spreadErrors(objectsOf(spec.topologySpreadConstraints), `${path}.topologySpreadConstraints`));
  errors.push(...hostProcessErrors(spec, path), ...hostUsersErrors(spec, path), ...hostnameErrors(spec, path));
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
  if (isSet(spec.runtimeClassName)) {
    const name = textOf(spec.runtimeClassName);
    errors.push(...invalidFor(`${path}.runtimeClassName`, name, isDNS1123Subdomain(name)));
  }
  errors.push(...preemptionPolicyErrors(spec.preemptionPolicy, `${path}.preemptionPolicy`));
  if (isSet(spec.overhead)) errors.push(...resourceErrors({ limits: spec.overhead }, `${path}.overhead`, []));
  return [...errors, ...operatingSystemErrors(spec, path), ...fileVolumeErrors(spec, path)];
}
