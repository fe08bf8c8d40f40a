import { equalJson, goQuote, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { isDNS1123Label } from "@kubewright/cel/validation";
import { ipWarnings } from "../../../../validation/ip-warnings.ts";
import { fieldsOf, isSet, numberOf, objectsOf, sortedKeys, textOf, textsOf } from "../../fields/fields.ts";
import { fractionWarnings } from "../../fields/quantities.ts";
import { allContainers } from "../container/all-containers.ts";
import { profileOfAnnotation } from "../container/app-armor.ts";
import { portWarnings } from "../container/port-warnings.ts";
import { deprecatedNodeLabel, nodeTermWarnings } from "../node/node-labels.ts";
import { claimSpecWarnings } from "../volume/claim-spec.ts";
import { virtualPathWarnings } from "./virtual-paths.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const noSelector = "a null labelSelector results in matching no pod";
const wholeResources = ["memory", "ephemeral-storage"];

const oldAnnotations: Readonly<Record<string, string>> = {
  "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
};

const oldVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: "deprecated in v1.11, non-functional in v1.16+",
  gitRepo: "deprecated in v1.11, and disabled by default in v1.33+",
  scaleIO: "deprecated in v1.16, non-functional in v1.22+",
  flocker: "deprecated in v1.22, non-functional in v1.25+",
  storageos: "deprecated in v1.22, non-functional in v1.25+",
  quobyte: "deprecated in v1.22, non-functional in v1.25+",
  glusterfs: "deprecated in v1.25, non-functional in v1.26+",
  ephemeral: "",
  cephfs: "deprecated in v1.28, non-functional in v1.31+",
  rbd: "deprecated in v1.28, non-functional in v1.31+",
};

/** The names of volumes that messages write in another way than the API. */
const shownVolumes: Readonly<Record<string, string>> = { storageos: "storageOS" };

function placementWarnings(spec: JsonObject, path: string): string[] {
  const warnings = sortedKeys(spec.nodeSelector).flatMap((key) => {
    const warning = deprecatedNodeLabel(key);
    return warning === undefined ? [] : [`${path}.nodeSelector[${key}]: ${warning}`];
  });
  const nodes = fieldsOf(fieldsOf(spec.affinity).nodeAffinity);
  const at = `${path}.affinity.nodeAffinity`;
  for (const [index, term] of objectsOf(fieldsOf(nodes[required]).nodeSelectorTerms).entries()) {
    warnings.push(...nodeTermWarnings(term, `${at}.${required}.nodeSelectorTerms[${index}]`));
  }
  for (const [index, term] of objectsOf(nodes[preferred]).entries()) {
    warnings.push(...nodeTermWarnings(fieldsOf(term.preference), `${at}.${preferred}[${index}].preference`, true));
  }
  for (const [index, constraint] of objectsOf(spec.topologySpreadConstraints).entries()) {
    const where = `${path}.topologySpreadConstraints[${index}]`;
    const key = textOf(constraint.topologyKey);
    const warning = deprecatedNodeLabel(key);
    if (warning !== undefined) warnings.push(`${where}.topologyKey: ${key} is ${warning}`);
    if (!isSet(constraint.labelSelector)) warnings.push(`${where}.labelSelector: ${noSelector}`);
  }
  return warnings;
}

function affinityWarnings(spec: JsonObject, path: string): string[] {
  return ["podAffinity", "podAntiAffinity"].flatMap((kind) => {
    const rules = fieldsOf(fieldsOf(spec.affinity)[kind]);
    const at = `${path}.affinity.${kind}`;
    return [
      ...objectsOf(rules[required]).flatMap((term, index) =>
        isSet(term.labelSelector) ? [] : [`${at}.${required}[${index}].labelSelector: ${noSelector}`],
      ),
      ...objectsOf(rules[preferred]).flatMap((term, index) =>
        isSet(fieldsOf(term.podAffinityTerm).labelSelector)
          ? []
          : [`${at}.${preferred}[${index}].podAffinityTerm.labelSelector: ${noSelector}`],
      ),
    ];
  });
}

function volumeWarnings(spec: JsonObject, path: string): string[] {
  const volumes = objectsOf(spec.volumes);
  const old = volumes.flatMap((volume, index) =>
    Object.entries(oldVolumes).flatMap(([kind, warning]) => {
      if (!isSet(volume[kind])) return [];
      const at = `${path}.volumes[${index}].${shownVolumes[kind] ?? kind}`;
      if (warning !== "") return [`${at}: ${warning}`];
      const template = fieldsOf(fieldsOf(volume[kind]).volumeClaimTemplate);
      return claimSpecWarnings(fieldsOf(template.spec), `${at}.volumeClaimTemplate.spec`);
    }),
  );
  return [...old, ...virtualPathWarnings(volumes)];
}

/** Finds the texts that occur again. */
function repeated(values: readonly string[], warn: (index: number, value: string) => string): string[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [warn(index, value)] : []));
}

function secretWarnings(spec: JsonObject, path: string): string[] {
  const secrets = objectsOf(spec.imagePullSecrets).map(({ name }) => textOf(name));
  const at = (index: number): string => `${path}.imagePullSecrets[${index}].name`;
  return [
    ...repeated(secrets, (index, name) => `${at(index)}: duplicate name ${goQuote(name)}`),
    ...secrets.flatMap((name, index) => (name === "" ? [`${at(index)}: invalid empty name ""`] : [])),
  ];
}

function environmentWarnings(container: JsonObject, path: string): string[] {
  const seen = new Set<string>();
  return objectsOf(container.env).flatMap((variable, index) => {
    const name = textOf(variable.name);
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const [value, reference] = [textOf(variable.value), `$(${name})`];
    // A value that extends the previous one is useful.
    if (!isSet(variable.valueFrom) && value !== reference && value.includes(reference)) return [];
    const effect = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`;
    return [`${path}.env[${index}]: ${effect}`];
  });
}

function containerWarnings(
  container: JsonObject,
  at: string,
  { spec, annotations, annotationsPath, isTemplate }: AnnotatedPod,
): string[] {
  const { seccompProfile, appArmorProfile } = fieldsOf(container.securityContext);
  const warnings: string[] = [];
  const seccomp = `container.seccomp.security.alpha.kubernetes.io/${textOf(container.name)}`;
  if (!isSet(seccompProfile) && annotations[seccomp] !== undefined) {
    warnings.push(`${annotationsPath}[${seccomp}]: ${newSeccomp}`);
  }
  const appArmor = `container.apparmor.security.beta.kubernetes.io/${textOf(container.name)}`;
  const annotation = annotations[appArmor];
  // Pods get this warning when the server turns the annotation into the field.
  if (isTemplate && !isSet(appArmorProfile) && annotation !== undefined) {
    const ofPod = fieldsOf(spec.securityContext).appArmorProfile;
    if (!isSet(ofPod) || !equalJson(ofPod, profileOfAnnotation(textOf(annotation)) ?? null)) {
      const detail = 'deprecated since v1.30; use the "appArmorProfile" field instead';
      warnings.push(`${annotationsPath}[${appArmor}]: ${detail}`);
    }
  }
  const resources = fieldsOf(container.resources);
  for (const resource of wholeResources) {
    for (const kind of ["limits", "requests"]) {
      warnings.push(...fractionWarnings(fieldsOf(resources[kind])[resource], `${at}.resources.${kind}[${resource}]`));
    }
  }
  return [...warnings, ...environmentWarnings(container, at)];
}

const newSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';

interface AnnotatedPod {
  spec: JsonObject;
  annotations: JsonObject;
  annotationsPath: string;
  isTemplate: boolean;
}

/**
 * Finds the warnings for a Pod or a template: fields that are deprecated, that have no effect or that hide each other.
 *
 * @param template - the Pod or the template
 * @param root - its path; empty for a Pod
 * @returns the warnings
 */
export function podWarnings(template: Json | undefined, root: string): string[] {
  if (!isObject(template)) return [];
  const prefix = root === "" ? "" : `${root}.`;
  const path = `${prefix}spec`;
  const spec = fieldsOf(template.spec);
  const annotations = fieldsOf(fieldsOf(template.metadata).annotations);
  const pod = { spec, annotations, annotationsPath: `${prefix}metadata.annotations`, isTemplate: root !== "" };
  const { annotationsPath } = pod;
  const aliases = objectsOf(spec.hostAliases).map(({ ip }) => textOf(ip));
  const containers = new Map(allContainers(spec, path));
  const warnings = [
    ...placementWarnings(spec, path),
    ...Object.entries(oldAnnotations).flatMap(([key, warning]) =>
      annotations[key] === undefined ? [] : [`${annotationsPath}[${key}]: ${warning}`],
    ),
    ...volumeWarnings(spec, path),
    ...repeated(aliases, (index, ip) => `${path}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`),
    ...secretWarnings(spec, path),
    ...wholeResources.flatMap((name) => fractionWarnings(fieldsOf(spec.overhead)[name], `${path}.overhead[${name}]`)),
  ];
  const seccomp = "seccomp.security.alpha.kubernetes.io/pod";
  if (!isSet(fieldsOf(spec.securityContext).seccompProfile) && annotations[seccomp] !== undefined) {
    warnings.push(`${annotationsPath}[${seccomp}]: ${newSeccomp}`);
  }
  for (const [at, container] of containers) warnings.push(...containerWarnings(container, at, pod));
  warnings.push(...portWarnings(containers));
  if (numberOf(spec.terminationGracePeriodSeconds) < 0) {
    const detail = "must be >= 0; negative values are invalid and will be treated as 1";
    warnings.push(`${path}.terminationGracePeriodSeconds: ${detail}`);
  }
  return [
    ...warnings,
    ...affinityWarnings(spec, path),
    ...textsOf(fieldsOf(spec.dnsConfig).nameservers).flatMap((server, index) =>
      ipWarnings(`${path}.dnsConfig.nameservers[${index}]`, server),
    ),
    ...aliases.flatMap((ip, index) => ipWarnings(`${path}.hostAliases[${index}].ip`, ip)),
  ];
}

/**
 * Finds the warning for a name that can't be a DNS label, but ends up in the names of Pods.
 *
 * @param name - the name of the object
 * @param use - what the server makes of it
 * @returns the warnings
 */
export function nameWarnings(name: string | undefined, use = "Pod names and hostnames"): string[] {
  const problems = isDNS1123Label(name ?? "");
  if (problems.length === 0) return [];
  const effect = "which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: this is used in ${use}, ${effect}: [${problems.join(" ")}]`];
}
