// The API requests of the runtime's calls, by exported name.

import type { Ask, KindRef } from "./model.ts";

/** A call that sends API requests for the kind of one of its arguments. */
export interface AskingCall {
  /** The index of the argument that is the kind, or an object of it. */
  readonly argument: number;
  readonly asks: readonly Ask[];
  readonly informer?: true;
  readonly read?: true;
}

const ask = (...verbs: string[]): Ask => ({ verbs });
const of = (argument: number, ...asks: Ask[]): AskingCall => ({ argument, asks });
const read = (argument: number, verb: string): AskingCall => ({ ...of(argument, ask(verb)), read: true });
const informer = (argument: number): AskingCall => ({ ...of(argument, ask("list", "watch")), informer: true });
const onSubresource = (subresource: string, ...verbs: string[]): Ask => ({ verbs, subresource });

const writes = {
  create: of(0, ask("create")),
  update: of(0, ask("update")),
  patch: of(0, ask("patch")),
  apply: of(0, ask("patch"), { verbs: ["create"], ifAbsent: true }),
  delete: of(0, ask("delete")),
  deleteAllOf: of(0, ask("deletecollection")),
  watch: of(0, ask("watch")),
};
const statusWrites = {
  update: of(0, onSubresource("status", "update")),
  patch: of(0, onSubresource("status", "patch")),
  apply: of(0, onSubresource("status", "patch")),
};

/** Methods, by the name of the type that declares them. */
export const methods: Readonly<Record<string, Readonly<Record<string, AskingCall>>>> = {
  Reader: { get: read(0, "get"), list: read(0, "list") },
  Client: writes,
  FieldOwnerClient: writes,
  SubResourceWriter: statusWrites,
  FieldOwnerSubResourceWriter: statusWrites,
  InformerCache: { get: read(0, "get"), list: read(0, "list"), inform: informer(0), indexField: informer(0) },
  ControllerBuilder: { for: informer(0), owns: informer(0), watches: informer(0), watchesMetadata: informer(0) },
};

/** The verb of each method of a subresource client. The subresource is named where the client is created. */
export const subresourceVerbs: Readonly<Record<string, string>> = {
  get: "get",
  lines: "get",
  create: "create",
  update: "update",
  patch: "patch",
  apply: "patch",
};

/** Functions, by name. */
export const functions: Readonly<Record<string, AskingCall>> = {
  createOrUpdate: { ...of(1, ask("get"), ask("create", "update")), read: true },
  createOrPatch: {
    ...of(1, ask("get"), ask("create", "patch"), { verbs: ["patch"], subresource: "status", maybe: true }),
    read: true,
  },
  patchStatus: of(1, onSubresource("status", "patch")),
  listPages: read(1, "list"),
  kindSource: informer(1),
};

/** Functions that make the first argument an owner, whose deletion they may block. */
export const ownerFunctions: ReadonlySet<string> = new Set(["setControllerReference", "setOwnerReference"]);

const core = (group: string, kind: string, plural: string, scope: "Namespaced" | "Cluster"): KindRef => ({
  group,
  kind,
  plural,
  scope,
});

/** The kinds that the runtime itself accesses. */
export const ownKinds = {
  event: core("events.k8s.io", "Event", "events", "Namespaced"),
  lease: core("coordination.k8s.io", "Lease", "leases", "Namespaced"),
  pod: core("", "Pod", "pods", "Namespaced"),
  secret: core("", "Secret", "secrets", "Namespaced"),
  caBundleTargets: [
    core("apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions", "Cluster"),
    core("admissionregistration.k8s.io", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "Cluster"),
    core(
      "admissionregistration.k8s.io",
      "ValidatingWebhookConfiguration",
      "validatingwebhookconfigurations",
      "Cluster",
    ),
  ],
  tokenReview: core("authentication.k8s.io", "TokenReview", "tokenreviews", "Cluster"),
  subjectAccessReview: core("authorization.k8s.io", "SubjectAccessReview", "subjectaccessreviews", "Cluster"),
} as const;
