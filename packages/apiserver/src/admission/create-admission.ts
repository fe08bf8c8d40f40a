import { decodeJson, goQuote, type Json, type JsonObject, jsonKind } from "@kubewright/cel/json";
import { decodeManagedFields } from "../apply/managed-fields.ts";
import type { CompileExpression } from "../expressions/expressions.ts";
import type { Admission } from "../model/admission.ts";
import type { GroupVersionKind, Target } from "../model/admission-request.ts";
import type { Authorizer } from "../model/authorizer.ts";
import { type ApiObject, DecodeError, type ResourceType } from "../model/resource.ts";
import { StatusError } from "../model/status.ts";
import { applyJsonPatch } from "../patch/json-patch.ts";
import type { Store } from "../storage/store.ts";
import { WebhookClients } from "../webhook/client.ts";
import { serviceResolver } from "../webhook/services.ts";
import { AdmissionChain } from "./chain.ts";
import {
  CertificateApproval,
  CertificateSigning,
  CertificateSubjectRestriction,
  ClusterTrustBundleAttest,
  PodCertificateSigning,
} from "./defaults/certificates.ts";
import { LimitRanger } from "./defaults/limit-ranger.ts";
import { TaintNodesByCondition } from "./defaults/nodes.ts";
import { OwnerReferencesPermissionEnforcement } from "./defaults/owner-references.ts";
import { PodResize } from "./defaults/pod-resize.ts";
import { DefaultTolerationSeconds, Priority, RuntimeClass } from "./defaults/pods.ts";
import { ResourceQuota, type WriteUsage } from "./defaults/resource-quota.ts";
import {
  DefaultIngressClass,
  DefaultStorageClass,
  PersistentVolumeClaimResize,
  StorageObjectInUseProtection,
} from "./defaults/storage.ts";
import { NamespaceLifecycle } from "./namespace-lifecycle.ts";
import { Matcher } from "./plugin/match.ts";
import { PodSecurity } from "./pod-security/pod-security.ts";
import { applyConfiguration } from "./policies/apply-configuration.ts";
import { MutatingPolicies } from "./policies/mutating-policies.ts";
import { ValidatingPolicies } from "./policies/validating-policies.ts";
import { type JsonPatches, MutatingWebhooks, objectDecoder } from "./webhooks/mutating-webhooks.ts";
import { ValidatingWebhooks } from "./webhooks/validating-webhooks.ts";
import { WebhookConfigurations } from "./webhooks/webhook-configurations.ts";

/** The parts that admission uses. */
export interface AdmissionParts {
  store: Store;
  authorizer: Authorizer;
  now: () => number;
  uid: () => string;
  /** The names of plugins that don't run. */
  disabled: Iterable<string>;
  /** The names of plugins that run although they are off by default. */
  enabled?: readonly string[];
  /** Returns all resources that are served. */
  resources: () => readonly ResourceType[];
  compile: CompileExpression;
  /** Changes the status of quotas. */
  writeUsage: WriteUsage;
}

function decodePatch(text: string): Json[] {
  const { value } = decodeJson(text);
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw new Error(`json: cannot unmarshal ${jsonKind(value)} into Go value of type jsonpatch.Patch`);
}

const patches: JsonPatches = {
  decode: decodePatch,
  apply(document, patch) {
    try {
      return applyJsonPatch(document as JsonObject, JSON.stringify(patch), "Ignore").value;
    } catch (error) {
      // The library's reason is in the message of webhooks, unlike in that of patches by clients.
      throw (error as Error).cause ?? error;
    }
  },
  isFailedTest: (error) => error instanceof Error && /^testing value .* failed(: test failed)?$/s.test(error.message),
};

/**
 * Creates the chain of admission, with the plugins that kube-apiserver runs by default, in its order.
 *
 * @param parts - what it uses
 * @returns the chain, and the connections to webhooks, to be closed in the end
 */
export function createAdmission(parts: AdmissionParts): { chain: Admission; clients: WebhookClients } {
  const { store, authorizer, compile, enabled = [] } = parts;
  const clients = new WebhookClients({
    now: parts.now,
    userAgent: "kube-apiserver-admission",
    resolveService: serviceResolver(store),
  });
  const matcher = new Matcher(store, ({ collection }) =>
    parts.resources().filter((type) => type.collection === collection),
  );
  const calls = { clients, matcher, decodeJson: (text: string): Json => decodeJson(text).value, uid: parts.uid };
  const resourceOfKind = (kind: GroupVersionKind): Target | undefined => findKind(parts.resources(), kind);
  const decode = objectDecoder((apiVersion, kind, value, expected) =>
    decodeOtherKind(resourceOfKind, apiVersion, kind, value, expected),
  );
  const policies = { store, matcher, compile, resourceOfKind };
  const webhooks = (resource: string): WebhookConfigurations => new WebhookConfigurations(store, resource, compile);
  const plugins = [
    new NamespaceLifecycle(store),
    new LimitRanger(store),
    new TaintNodesByCondition(),
    new PodSecurity(store),
    new Priority(store),
    new DefaultTolerationSeconds(),
    new DefaultStorageClass(store),
    ...(enabled.includes("OwnerReferencesPermissionEnforcement")
      ? [new OwnerReferencesPermissionEnforcement(authorizer, parts.resources)]
      : []),
    new StorageObjectInUseProtection(),
    new PersistentVolumeClaimResize(store),
    new RuntimeClass(store),
    new CertificateApproval(authorizer),
    new CertificateSigning(authorizer),
    new PodCertificateSigning(authorizer),
    new ClusterTrustBundleAttest(authorizer),
    new CertificateSubjectRestriction(),
    new DefaultIngressClass(store),
    new PodResize(store),
    new MutatingPolicies({ ...policies, patches, decode, applyConfiguration }),
    new MutatingWebhooks(webhooks("mutatingwebhookconfigurations"), calls, patches, decode),
    new ValidatingPolicies(policies),
    new ValidatingWebhooks(webhooks("validatingwebhookconfigurations"), calls),
    new ResourceQuota(store, parts.writeUsage),
  ];
  const chain = new AdmissionChain(plugins, parts.disabled, managedFieldsProblem);
  return { chain, clients };
}

function findKind(types: readonly ResourceType[], { group, version, kind }: GroupVersionKind): Target | undefined {
  for (const type of types) {
    const served = type.group === group && type.kind === kind ? type.versions.get(version) : undefined;
    if (served !== undefined) return { type, version: served };
  }
  return undefined;
}

/** Decodes an object whose kind a patch has changed. It fails in any case: nothing converts it back. */
function decodeOtherKind(
  resourceOfKind: (kind: GroupVersionKind) => Target | undefined,
  apiVersion: string,
  kind: string,
  value: Json,
  expected: GroupVersionKind,
): ApiObject {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  const resource = resourceOfKind({ group, version, kind });
  if (resource === undefined || resource.type.custom) {
    const problem = `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`;
    throw new DecodeError(`${problem} in scheme "pkg/runtime/scheme.go:111"`);
  }
  resource.version.codec.decode(value);
  const name = expected.group.split(".")[0] || "core";
  // The real server converts the object after the webhooks, and its error has no reason.
  throw new StatusError(500, "", `converting (${version}.${kind}) to (${name}.${expected.kind}): unknown conversion`);
}

function managedFieldsProblem(entries: readonly JsonObject[]): string | undefined {
  try {
    decodeManagedFields([...entries]);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
