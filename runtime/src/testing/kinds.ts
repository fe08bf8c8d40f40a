import type { KubernetesObject } from "../api/index.ts";
import { groupKind, type Kind } from "../kind.ts";
import type { Schema } from "./schema/schema.ts";

/** The kind of a request, in resolved form. */
export interface KindId {
  group: string;
  version: string;
  kind: string;
  apiVersion: string;
  scope?: "Namespaced" | "Cluster";
  plural?: string;
}

/** A resource in error messages: `kind` contains its plural name. */
export interface GroupResource {
  group: string;
  kind: string;
}

/** The paths of a custom resource that its scale subresource maps to, such as `.spec.replicas`. */
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

/** The rules for converting objects of a custom kind between versions. */
export interface Versions {
  /** The storage version. */
  storage: string;
  /**
   * Whether only the kind's webhook can convert objects. Otherwise, all versions have the same fields, except for those
   * missing from their schemas.
   */
  needWebhook: boolean;
}

// Cluster-scoped built-in kinds.
const CLUSTER_SCOPED = new Set(
  `APIService CSIDriver CSINode CertificateSigningRequest ClusterRole ClusterRoleBinding ClusterTrustBundle ComponentStatus
  CustomResourceDefinition DeviceClass FlowSchema IPAddress IngressClass MutatingAdmissionPolicy MutatingAdmissionPolicyBinding
  MutatingWebhookConfiguration Namespace Node PersistentVolume PriorityClass PriorityLevelConfiguration ResourceSlice RuntimeClass
  SelfSubjectAccessReview SelfSubjectReview SelfSubjectRulesReview ServiceCIDR StorageClass StorageVersion SubjectAccessReview
  TokenReview ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration VolumeAttachment
  VolumeAttributesClass`.split(/\s+/),
);

// Built-in kinds with a status subresource.
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

/** The kinds of a fake server: a fixed list of built-in kinds, and custom kinds from CRDs and `Kind` values. */
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

  /**
   * Returns a kind's scope, or `undefined` if a custom kind's scope is unknown. In that case, each object's own namespace
   * decides.
   */
  scope(id: KindId): "Namespaced" | "Cluster" | undefined {
    const known = this.#scopes.get(groupKind(id));
    if (known) return known;
    if (isCustom(id)) {
      // The scope of a `Kind` value also applies to later objects of the same kind.
      if (id.scope) this.#scopes.set(groupKind(id), id.scope);
      return id.scope;
    }
    return CLUSTER_SCOPED.has(id.kind) ? "Cluster" : "Namespaced";
  }

  hasStatus(id: KindId): boolean {
    return this.#status.has(groupKind(id)) || (!isCustom(id) && WITH_STATUS.has(id.kind));
  }

  /** Returns the plural resource name, which most errors contain instead of the kind. */
  resource(id: KindId): GroupResource {
    const plural = id.plural ?? this.#plurals.get(groupKind(id)) ?? pluralOf(id.kind);
    return { group: id.group, kind: plural };
  }

  /** Returns the schema of a custom kind and version, if a CRD contains one. */
  schema(id: KindId): Schema | undefined {
    return this.#schemas.get(`${groupKind(id)}/${id.version}`);
  }

  /** Returns the versions of a custom kind, or `undefined` without a CRD. */
  versions(id: KindId): Versions | undefined {
    return this.#versions.get(groupKind(id));
  }

  scale(id: KindId): ScalePaths | undefined {
    return this.#scale.get(groupKind(id)) ?? (!isCustom(id) && WITH_SCALE.has(id.kind) ? SCALE : undefined);
  }
}

// Same guess as in API machinery.
function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  if (name === "endpoints") return name;
  if (name.endsWith("s")) return `${name}es`;
  return name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** Checks by the group whether a kind is custom. */
export function isCustom({ group }: { group: string }): boolean {
  return group.includes(".") && !group.endsWith(".k8s.io");
}
