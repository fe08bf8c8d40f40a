import { equalJson, isObject, type Json, parseJson } from "@kubewright/cel/json";
import { traits } from "../../builtin/strategies/traits.ts";
import type { AdmissionAttributes } from "../../model/admission.ts";
import type { ApiObject } from "../../model/resource.ts";
import { forbidden, internalError, invalid } from "../../model/status.ts";
import { ParsedCollection } from "../../storage/parsed-collection.ts";
import type { Store } from "../../storage/store.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";
import { existingPodsWarnings } from "./existing-pods.ts";
import { asPod, type Container, type Pod } from "./pod.ts";
import { compareLevels, type LevelVersion, levelText, type Policy, policyOf } from "./policy.ts";
import { detailText, rulesOf, violationsOf } from "./violations.ts";

/** The subresources of Pods that change nothing about their privileges. */
const harmless = new Set(["exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status"]);

/** Refuses Pods that violate the level of the Pod Security Standards in the labels of their namespace. */
export class PodSecurity implements AdmissionPlugin {
  readonly name = "PodSecurity";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE"]);
  readonly #store: Store;
  readonly #policies: ParsedCollection<Policy>;

  /** @param store - where the namespaces and Pods are */
  constructor(store: Store) {
    this.#store = store;
    this.#policies = new ParsedCollection(
      store.collection("namespaces"),
      (object) => policyOf((object as ApiObject).metadata.labels).policy,
    );
  }

  validate(attributes: AdmissionAttributes): void {
    const { type, subresource, object } = attributes;
    if (object === undefined || type.custom) return;
    const resource = `${type.group}/${type.resource}`;
    if (resource === "/namespaces") {
      if (subresource === "") this.#validateNamespace(attributes, object);
    } else if (resource === "/pods") {
      if (!harmless.has(subresource)) this.#validatePod(attributes, object);
    } else if (subresource === "") {
      this.#checkTemplate(attributes, object, traits[resource]?.pods);
    }
  }

  #validateNamespace(attributes: AdmissionAttributes, { metadata }: ApiObject): void {
    const { type, name, oldObject } = attributes;
    const { policy, errors } = policyOf(metadata.labels);
    const old = oldObject && policyOf(oldObject.metadata.labels);
    if (errors.length > 0 && !equalJson(errors as unknown as Json, (old?.errors ?? []) as unknown as Json)) {
      throw invalid({ group: type.group, kind: type.kind }, name, errors);
    }
    if (old === undefined || !isStricter(policy.enforce, old.policy.enforce)) return;
    const pods = this.#store.collection("pods").list(`${name}/`);
    const parsed = pods.map(({ text }) => parseJson(text) as ApiObject);
    for (const warning of existingPodsWarnings(name, parsed, policy.enforce)) attributes.warn(warning);
  }

  #validatePod(attributes: AdmissionAttributes, object: ApiObject): void {
    const { type, namespace, name, oldObject } = attributes;
    const policy = this.#policies.get(namespace);
    if (policy === undefined) throw internalError(`failed to lookup namespace "${namespace}"`);
    const pod = asPod(object);
    if (oldObject !== undefined && !changesImages(pod, asPod(oldObject))) return;
    const violations = violationsOf(pod, rulesOf(policy.enforce));
    if (violations.length > 0) {
      const problem = `violates PodSecurity "${levelText(policy.enforce)}": ${detailText(violations)}`;
      throw forbidden({ group: type.group, resource: type.resource }, name, problem);
    }
    warnAbout(attributes, pod, policy.warn);
  }

  /** Warns about a template of Pods. Only the Pods that are created from it are refused. */
  #checkTemplate(attributes: AdmissionAttributes, object: ApiObject, path: string | undefined): void {
    const policy = path === undefined ? undefined : this.#policies.get(attributes.namespace);
    if (path === undefined || policy === undefined) return;
    const steps = path.split(".").slice(0, -1);
    const template = steps.reduce<Json | undefined>(
      (value, step) => (isObject(value) ? value[step] : undefined),
      object,
    );
    if (isObject(template)) warnAbout(attributes, template as unknown as Pod, policy.warn);
  }
}

function warnAbout(attributes: AdmissionAttributes, pod: Pod, policy: LevelVersion): void {
  const violations = violationsOf(pod, rulesOf(policy));
  if (violations.length === 0) return;
  attributes.warn(`would violate PodSecurity "${levelText(policy)}": ${detailText(violations)}`);
}

/** Reports whether Pods that a level allows can violate a new one. */
function isStricter(policy: LevelVersion, old: LevelVersion): boolean {
  if (policy.level === "privileged") return false;
  return policy.version !== old.version || compareLevels(policy.level, old.level) > 0;
}

/** Reports whether an update runs other images. Nothing else that the checks read can be changed. */
function changesImages({ spec }: Pod, { spec: old }: Pod): boolean {
  const images = (containers: Container[] = []): string[] => containers.map(({ image = "" }) => image);
  if (!equalJson(images(spec.containers), images(old.containers))) return true;
  if (!equalJson(images(spec.initContainers), images(old.initContainers))) return true;
  const before = new Set((old.ephemeralContainers ?? []).map(({ name }) => name));
  return (spec.ephemeralContainers ?? []).some(({ name }) => !before.has(name));
}
