import type { Authorizer } from "../access/authorizer.ts";
import type { Json } from "../json/json.ts";
import type { ApiObject, ResourceType } from "../registry/resource.ts";
import type { Store } from "../storage/store.ts";
import type { WebhookClients } from "../webhook/client.ts";
import type { DecodeJson } from "../webhook/response.ts";
import type { GroupVersionKind, Target } from "./attributes.ts";
import { AdmissionChain, type ManagedFieldsCheck } from "./chain.ts";
import { CertificateApproval, CertificateSigning, CertificateSubjectRestriction } from "./defaults/certificates.ts";
import { TaintNodesByCondition } from "./defaults/nodes.ts";
import { DefaultTolerationSeconds, Priority, RuntimeClass } from "./defaults/pods.ts";
import {
  DefaultIngressClass,
  DefaultStorageClass,
  PersistentVolumeClaimResize,
  StorageObjectInUseProtection,
} from "./defaults/storage.ts";
import type { CompileExpression } from "./expressions.ts";
import { Matcher } from "./match.ts";
import { MutatingPolicies, type MutatingPolicyParts } from "./mutating-policies.ts";
import { type JsonPatches, MutatingWebhooks, objectDecoder } from "./mutating-webhooks.ts";
import { NamespaceLifecycle } from "./namespace-lifecycle.ts";
import { ValidatingPolicies } from "./validating-policies.ts";
import { ValidatingWebhooks } from "./validating-webhooks.ts";
import { WebhookConfigurations } from "./webhook-configurations.ts";

/** What admission uses. */
export interface PluginParts {
  store: Store;
  authorizer: Authorizer;
  clients: WebhookClients;
  /** The names of plugins that don't run. */
  disabled: Iterable<string>;
  /** @returns all resources that share the objects of a resource, such as both kinds of Event; the resource is one of them */
  equivalents: (type: ResourceType) => readonly ResourceType[];
  /** @returns the resource and version of a kind, if it is served */
  resourceOfKind: (kind: GroupVersionKind) => Target | undefined;
  compile: CompileExpression;
  patches: JsonPatches;
  applyConfiguration: MutatingPolicyParts["applyConfiguration"];
  decodeJson: DecodeJson;
  managedFieldsProblem: ManagedFieldsCheck;
  /** @returns a new UID */
  uid: () => string;
}

/**
 * Creates admission with the plugins that kube-apiserver runs by default, in its order.
 *
 * @param parts - what the plugins use
 * @returns the chain
 */
export function createDefaultChain(parts: PluginParts): AdmissionChain {
  const { store, authorizer, clients, compile, patches, decodeJson, uid } = parts;
  const matcher = new Matcher(store, parts.equivalents);
  const calls = { clients, matcher, decodeJson, uid };
  const decode = objectDecoder((apiVersion, kind, value) => decodeOther(parts, apiVersion, kind, value));
  const policies = { store, matcher, compile, resourceOfKind: parts.resourceOfKind };
  const webhooks = (resource: string): WebhookConfigurations => new WebhookConfigurations(store, resource, compile);
  const plugins = [
    new NamespaceLifecycle(store),
    new TaintNodesByCondition(),
    new Priority(store),
    new DefaultTolerationSeconds(),
    new DefaultStorageClass(store),
    new StorageObjectInUseProtection(),
    new PersistentVolumeClaimResize(store),
    new RuntimeClass(store),
    new CertificateApproval(authorizer),
    new CertificateSigning(authorizer),
    new CertificateSubjectRestriction(),
    new DefaultIngressClass(store),
    new MutatingPolicies({ ...policies, patches, decode, applyConfiguration: parts.applyConfiguration }),
    new MutatingWebhooks(webhooks("mutatingwebhookconfigurations"), calls, patches, decode),
    new ValidatingPolicies(policies),
    new ValidatingWebhooks(webhooks("validatingwebhookconfigurations"), calls),
  ];
  return new AdmissionChain(plugins, parts.disabled, parts.managedFieldsProblem);
}

/** Decodes an object whose kind a patch has changed. It fails in any case: nothing converts it back. */
function decodeOther(parts: PluginParts, apiVersion: string, kind: string, value: Json): ApiObject {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  const target = parts.resourceOfKind({ group, version, kind });
  if (target === undefined || target.type.custom) {
    throw new Error(
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    );
  }
  target.version.codec.decode(value);
  const name = group.split(".")[0] || "core";
  throw new Error(`converting (${version}.${kind}) to (${name}.${kind}): unknown conversion`);
}
