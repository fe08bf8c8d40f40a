// The fields that refer to other objects by name, and change if those are renamed.

import {
  changeAt,
  type Fields,
  fieldsOf,
  isFields,
  textOf,
  type Value,
  withField,
} from "../../../yaml/plain-values.ts";
import { changed, groupVersionOf, namespaceOf, type Resource } from "./resource.ts";

/** A field of a kind that contains the name of an object of another kind. */
export interface Reference {
  /** The kind that the field refers to. */
  readonly to: string;
  /** The kind that has the field; any kind if absent. */
  readonly kind?: string;
  readonly group?: string;
  readonly path: readonly string[];
}

const podSpecs: Readonly<Record<string, string>> = {
  Pod: "spec",
  Deployment: "spec/template/spec",
  DaemonSet: "spec/template/spec",
  ReplicaSet: "spec/template/spec",
  StatefulSet: "spec/template/spec",
  Job: "spec/template/spec",
  CronJob: "spec/jobTemplate/spec/template/spec",
};

/** Paths below a Pod's spec. */
const ofPods: Readonly<Record<string, readonly string[]>> = {
  ServiceAccount: ["serviceAccountName"],
  PriorityClass: ["priorityClassName"],
  PersistentVolumeClaim: ["volumes/persistentVolumeClaim/claimName"],
  ConfigMap: [
    "volumes/configMap/name",
    "volumes/projected/sources/configMap/name",
    ...["containers", "initContainers"].flatMap((list) => [
      `${list}/env/valueFrom/configMapKeyRef/name`,
      `${list}/envFrom/configMapRef/name`,
    ]),
  ],
  Secret: [
    "volumes/secret/secretName",
    "volumes/projected/sources/secret/name",
    "imagePullSecrets/name",
    ...["containers", "initContainers"].flatMap((list) => [
      `${list}/env/valueFrom/secretKeyRef/name`,
      `${list}/envFrom/secretRef/name`,
    ]),
  ],
};

const others: readonly (readonly [to: string, kind: string, path: string])[] = [
  ...["Role", "ClusterRole"].flatMap((kind) =>
    ["ConfigMap", "Secret"].map((to) => [to, kind, "rules/resourceNames"] as const),
  ),
  ["Service", "APIService", "spec/service/name"],
  ["Service", "StatefulSet", "spec/serviceName"],
  ["Service", "Ingress", "spec/rules/http/paths/backend/service/name"],
  ["Secret", "Ingress", "spec/tls/secretName"],
  ["Secret", "ServiceAccount", "imagePullSecrets/name"],
  ["ConfigMap", "ValidatingAdmissionPolicyBinding", "spec/paramRef/name"],
  ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "spec/policyName"],
  ["Deployment", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name"],
  ["StatefulSet", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name"],
];

const builtIn: readonly (Reference & { readonly kind: string })[] = [
  ...Object.entries(podSpecs).flatMap(([kind, spec]) =>
    Object.entries(ofPods).flatMap(([to, paths]) =>
      paths.map((path) => ({ to, kind, path: `${spec}/${path}`.split("/") })),
    ),
  ),
  ...others.map(([to, kind, path]) => ({ to, kind, path: path.split("/") })),
];

const builtInOf = new Map<string, Reference[]>();
for (const reference of builtIn) {
  builtInOf.set(reference.kind, [...(builtInOf.get(reference.kind) ?? []), reference]);
}

/**
 * Updates references to the current names of objects. `more` are the references that kustomizations add in `configurations`.
 */
export function fixReferences(resources: readonly Resource[], more: readonly Reference[]): Resource[] {
  const renamed = resources.filter(({ names, namespaces }) => names.length > 1 || namespaces.length > 1);
  const find = (kind: string, name: string, from: Resource): Resource | undefined => {
    const matching = renamed.filter(({ object, names }) => object.kind === kind && names.includes(name));
    if (matching.length < 2) return matching[0];
    return matching.find(({ object }) => namespaceOf(object) === namespaceOf(from.object));
  };
  return resources.map((resource) => {
    const kind = textOf(resource.object.kind);
    const [group] = groupVersionOf(resource.object);
    const added = more.filter(
      (reference) =>
        (reference.kind === undefined || reference.kind === kind) &&
        (reference.group === undefined || reference.group === group),
    );
    const fits = [...(builtInOf.get(kind) ?? []), ...added];
    const object = fits.reduce<Value>(
      (now, { to, path }) => changeAt(now, path, (value) => renamedValue(value, to, resource, find)) ?? now,
      resource.object,
    );
    return changed(resource, withPairs(object as Fields, resource, find));
  });
}

type Find = (kind: string, name: string, from: Resource) => Resource | undefined;

function renamedValue(value: Value | undefined, to: string, from: Resource, find: Find): Value | undefined {
  if (Array.isArray(value)) return value.map((each) => renamedValue(each, to, from, find) ?? each);
  const target = typeof value === "string" ? find(to, value, from) : undefined;
  return target === undefined ? value : (target.names.at(-1) ?? value);
}

/** Updates the fields that contain both name and namespace, with the kind next to them. */
function withPairs(object: Fields, from: Resource, find: Find): Fields {
  const pair = (value: Value | undefined, kind: string): Value | undefined => {
    if (!isFields(value)) return value;
    const target = find(kind, textOf(value.name), from);
    if (target === undefined) return value;
    const renamed = withField(value, "name", target.names.at(-1));
    return namespaceOf(target.object) === "" ? renamed : withField(renamed, "namespace", namespaceOf(target.object));
  };
  switch (object.kind) {
    case "MutatingWebhookConfiguration":
    case "ValidatingWebhookConfiguration":
      return changeAt(object, ["webhooks", "clientConfig", "service"], (value) => pair(value, "Service")) as Fields;
    case "RoleBinding":
    case "ClusterRoleBinding": {
      const role = fieldsOf(object.roleRef);
      const named = changeAt(object, ["roleRef", "name"], (name) => renamedValue(name, textOf(role.kind), from, find));
      return changeAt(named, ["subjects"], (subjects) =>
        Array.isArray(subjects)
          ? subjects.map((subject) =>
              fieldsOf(subject).kind === "ServiceAccount" ? (pair(subject, "ServiceAccount") ?? subject) : subject,
            )
          : subjects,
      ) as Fields;
    }
    default:
      return object;
  }
}

/** Returns the references that a file of `configurations` adds in `nameReference`. */
export function referencesFrom(configuration: Fields): Reference[] {
  const lists = Array.isArray(configuration.nameReference) ? (configuration.nameReference as Value[]) : [];
  return lists.map(fieldsOf).flatMap(({ kind: to, fieldSpecs }) =>
    (Array.isArray(fieldSpecs) ? (fieldSpecs as Value[]) : []).map(fieldsOf).map(({ kind, group, path }) => ({
      to: textOf(to),
      ...(typeof kind === "string" ? { kind } : {}),
      // An empty group means any, as in kustomize.
      ...(typeof group === "string" && group !== "" ? { group } : {}),
      path: textOf(path).split("/"),
    })),
  );
}
