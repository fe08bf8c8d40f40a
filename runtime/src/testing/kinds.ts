import type { KubernetesObject } from "../api/index.ts";
import { groupKind, type Kind } from "../kind.ts";
import type { Schema } from "./schema/schema.ts";

/** The kind that a call is about, however it said so. */
export interface KindId {
  group: string;
  version: string;
  kind: string;
  apiVersion: string;
  scope?: "Namespaced" | "Cluster";
  plural?: string;
}

/** A resource as errors name it: `kind` is in the plural. */
export interface GroupResource {
  group: string;
  kind: string;
}

/** Where a custom resource keeps what its scale subresource shows: paths such as `.spec.replicas`. */
export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

interface CRDShape extends KubernetesObject {
  spec?: {
    group?: string;
    scope?: "Namespaced" | "Cluster";
    names?: { kind?: string; plural?: string };
    conversion?: { strategy?: string };
    versions?: {
      name?: string;
      storage?: boolean;
      schema?: { openAPIV3Schema?: Schema };
      subresources?: { status?: object; scale?: ScalePaths };
    }[];
  };
}

/** How objects of a custom kind get from one version to another. */
export interface Versions {
  /** The API version that servers store. */
  storage: string;
  /** Whether only the kind's webhook can convert them; otherwise all versions have the same fields, as far as their schemas do. */
  needWebhook: boolean;
}

// Kubernetes' own kinds that have no namespace.
const CLUSTER_SCOPED = new Set(
  `APIService CSIDriver CSINode CertificateSigningRequest ClusterRole ClusterRoleBinding ClusterTrustBundle ComponentStatus
  CustomResourceDefinition DeviceClass FlowSchema IPAddress IngressClass MutatingAdmissionPolicy MutatingAdmissionPolicyBinding
  MutatingWebhookConfiguration Namespace Node PersistentVolume PriorityClass PriorityLevelConfiguration ResourceSlice RuntimeClass
  SelfSubjectAccessReview SelfSubjectReview SelfSubjectRulesReview ServiceCIDR StorageClass StorageVersion SubjectAccessReview
  TokenReview ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration VolumeAttachment
  VolumeAttributesClass`.split(/\s+/),
);

// Kubernetes' own kinds that have a status subresource.
const WITH_STATUS = new Set(
  `APIService CertificateSigningRequest CronJob CustomResourceDefinition DaemonSet Deployment FlowSchema HorizontalPodAutoscaler
  Ingress Job Namespace Node PersistentVolume PersistentVolumeClaim Pod PodDisruptionBudget PriorityLevelConfiguration ReplicaSet
  ReplicationController ResourceClaim ResourceQuota Service ServiceCIDR StatefulSet ValidatingAdmissionPolicy VolumeAttachment`.split(
    /\s+/,
  ),
);

const WITH_SCALE = new Set(["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"]);
const SCALE: ScalePaths = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".spec.selector",
};

/** What a fake knows of kinds: Kubernetes' own by heart, custom ones from their CRDs and from what it is told. */
export class Kinds {
  readonly #scopes = new Map<string, "Namespaced" | "Cluster">();
  readonly #status = new Set<string>();
  readonly #scale = new Map<string, ScalePaths>();
  readonly #plurals = new Map<string, string>();
  readonly #schemas = new Map<string, Schema>();
  readonly #versions = new Map<string, Versions>();

  constructor(crds: readonly KubernetesObject[], statusSubresource: readonly Kind[]) {
    for (const kind of statusSubresource) this.#status.add(groupKind(kind));
    for (const { spec } of crds as readonly CRDShape[]) {
      if (!spec?.group || !spec.names?.kind) throw new TypeError("crds: an object isn't a CustomResourceDefinition");
      const id = groupKind({ group: spec.group, kind: spec.names.kind });
      this.#scopes.set(id, spec.scope ?? "Namespaced");
      if (spec.names.plural) this.#plurals.set(id, spec.names.plural);
      const needWebhook = spec.conversion?.strategy === "Webhook";
      for (const { name, storage, schema, subresources } of spec.versions ?? []) {
        if (storage) this.#versions.set(id, { storage: `${spec.group}/${name}`, needWebhook });
        if (schema?.openAPIV3Schema) this.#schemas.set(`${id}/${name}`, schema.openAPIV3Schema);
        if (subresources?.status) this.#status.add(id);
        if (subresources?.scale) this.#scale.set(id, subresources.scale);
      }
    }
  }

  /** `undefined` where nothing is known of a custom kind's scope: it is taken as each object has it. */
  scope(id: KindId): "Namespaced" | "Cluster" | undefined {
    const known = this.#scopes.get(groupKind(id));
    if (known) return known;
    if (isCustom(id)) {
      // A kind that says its scope once says it for its objects too.
      if (id.scope) this.#scopes.set(groupKind(id), id.scope);
      return id.scope;
    }
    return CLUSTER_SCOPED.has(id.kind) ? "Cluster" : "Namespaced";
  }

  hasStatus(id: KindId): boolean {
    return this.#status.has(groupKind(id)) || (!isCustom(id) && WITH_STATUS.has(id.kind));
  }

  /** What most errors about an object call its kind: the resource, in the plural. */
  resource(id: KindId): GroupResource {
    const plural = id.plural ?? this.#plurals.get(groupKind(id)) ?? pluralOf(id.kind);
    return { group: id.group, kind: plural };
  }

  /** The schema of a custom kind in its version, where a CRD says it. */
  schema(id: KindId): Schema | undefined {
    return this.#schemas.get(`${groupKind(id)}/${id.version}`);
  }

  /** The versions of a custom kind; `undefined` without a CRD. */
  versions(id: KindId): Versions | undefined {
    return this.#versions.get(groupKind(id));
  }

  scale(id: KindId): ScalePaths | undefined {
    return this.#scale.get(groupKind(id)) ?? (!isCustom(id) && WITH_SCALE.has(id.kind) ? SCALE : undefined);
  }
}

// As API machinery guesses where nobody says.
function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  if (name === "endpoints") return name;
  if (name.endsWith("s")) return `${name}es`;
  return name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** Whether a kind comes from a CRD, by its group. */
export function isCustom({ group }: { group: string }): boolean {
  return group.includes(".") && !group.endsWith(".k8s.io");
}
