import { decodeManagedFields } from "../apply/managed-fields.ts";
import { decodeJson } from "../json/decode.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { applyJsonPatch } from "../patch/json-patch.ts";
import { DecodeError, type ResourceType } from "../registry/resource.ts";
import type { Store } from "../storage/store.ts";
import { WebhookClients } from "../webhook/client.ts";
import type { Admission } from "./admission.ts";
import { AdmissionChain } from "./chain.ts";
import type { CompileExpression } from "./expressions.ts";
import { Matcher } from "./match.ts";
import { type JsonPatches, MutatingWebhooks, objectDecoder } from "./mutating-webhooks.ts";
import { NamespaceLifecycle } from "./namespace-lifecycle.ts";
import { ValidatingWebhooks } from "./validating-webhooks.ts";
import { WebhookConfigurations } from "./webhook-configurations.ts";

/** What admission uses. */
export interface AdmissionParts {
  store: Store;
  now: () => number;
  uid: () => string;
  /** The names of plugins that don't run. */
  disabled: Iterable<string>;
  /** @returns all resources that share the objects of a resource, itself among them */
  equivalents: (type: ResourceType) => readonly ResourceType[];
  compile: CompileExpression;
}

const patches: JsonPatches = {
  decode: (text) => decodeJson(text).value as Json[],
  apply(document, patch) {
    try {
      return applyJsonPatch(document as JsonObject, JSON.stringify(patch), "Ignore").value;
    } catch (error) {
      // The library's reason is in the message of webhooks, unlike in that of patches by clients.
      throw (error as Error).cause ?? error;
    }
  },
};

/**
 * Creates the chain of admission.
 *
 * @param parts - what it uses
 * @returns the chain, and a function that closes connections to webhooks
 */
export function createAdmission(parts: AdmissionParts): { chain: Admission; close(): void } {
  const { store, compile } = parts;
  const clients = new WebhookClients({
    now: parts.now,
    userAgent: "kube-apiserver-admission",
    resolveService: (namespace, name, port) => addressOfService(store, namespace, name, port),
  });
  const matcher = new Matcher(store, parts.equivalents);
  const calls = { clients, matcher, decodeJson: (text: string): Json => decodeJson(text).value, uid: parts.uid };
  const decode = objectDecoder((apiVersion, kind) => {
    throw new DecodeError(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    );
  });
  const mutating = new WebhookConfigurations(store, "mutatingwebhookconfigurations", compile);
  const validating = new WebhookConfigurations(store, "validatingwebhookconfigurations", compile);
  const chain = new AdmissionChain(
    [
      new NamespaceLifecycle(store),
      new MutatingWebhooks(mutating, calls, patches, decode),
      new ValidatingWebhooks(validating, calls),
    ],
    parts.disabled,
    managedFieldsProblem,
  );
  return { chain, close: () => void clients.close() };
}

/** Finds the address of a service, which nothing routes to outside of a cluster. */
function addressOfService(store: Store, namespace: string, name: string, port: number): { host: string; port: number } {
  const entry = store.collection("services").get(`${namespace}/${name}`);
  if (entry === undefined) throw new Error(`service ${JSON.stringify(name)} not found`);
  const spec = (JSON.parse(entry.text) as { spec?: { type?: string; clusterIP?: string; externalName?: string } }).spec;
  if (spec?.type === "ExternalName") return { host: spec.externalName ?? "", port };
  if (!spec?.clusterIP || spec.clusterIP === "None") {
    throw new Error(`cannot route to service with ClusterIP ${JSON.stringify(spec?.clusterIP ?? "")}`);
  }
  return { host: spec.clusterIP, port };
}

function managedFieldsProblem(entries: readonly JsonObject[]): string | undefined {
  try {
    decodeManagedFields([...entries]);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
