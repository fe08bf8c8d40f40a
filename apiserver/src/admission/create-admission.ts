import type { Authorizer } from "../access/authorizer.ts";
import { decodeManagedFields } from "../apply/managed-fields.ts";
import { merge } from "../apply/merge.ts";
import { customResourceType } from "../apply/object-type.ts";
import { deducedType, typeOfSchema } from "../apply/value-type.ts";
import { decodeJson } from "../json/decode.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { encodeJson } from "../json/values.ts";
import { applyJsonPatch } from "../patch/json-patch.ts";
import type { ApiObject, ResourceType } from "../registry/resource.ts";
import type { Store } from "../storage/store.ts";
import { WebhookClients } from "../webhook/client.ts";
import { serviceResolver } from "../webhook/services.ts";
import type { Admission } from "./admission.ts";
import type { Target } from "./attributes.ts";
import type { CompileExpression } from "./expressions.ts";
import type { JsonPatches } from "./mutating-webhooks.ts";
import { createDefaultChain } from "./plugins.ts";

/** What admission uses. */
export interface AdmissionParts {
  store: Store;
  authorizer: Authorizer;
  now: () => number;
  uid: () => string;
  /** The names of plugins that don't run. */
  disabled: Iterable<string>;
  /** @returns all resources that are served */
  resources: () => readonly ResourceType[];
  compile: CompileExpression;
}

const patches: JsonPatches = {
  decode: (text) => decodeJson(text).value as Json[],
  apply(document, patch) {
    try {
      return applyJsonPatch(document as JsonObject, encodeJson(patch as Json), "Ignore").value;
    } catch (error) {
      // The library's reason is in the message of webhooks, unlike in that of patches by clients.
      throw (error as Error).cause ?? error;
    }
  },
  isFailedTest: (error) => error instanceof Error && /^testing value .* failed/.test(error.message),
};

/**
 * Creates admission with the default plugins.
 *
 * @param parts - what it uses
 * @returns the chain, and the connections to webhooks, to be closed in the end
 */
export function createAdmission(parts: AdmissionParts): { chain: Admission; clients: WebhookClients } {
  const { store, authorizer, now, uid, disabled, compile, resources } = parts;
  const clients = new WebhookClients({
    now,
    userAgent: "kube-apiserver-admission",
    resolveService: serviceResolver(store),
  });
  const chain = createDefaultChain({
    store,
    authorizer,
    clients,
    disabled,
    compile,
    patches,
    uid,
    equivalents: ({ collection }) => resources().filter((type) => type.collection === collection),
    resourceOfKind({ group, version: name, kind }) {
      const type = resources().find((one) => one.group === group && one.kind === kind && one.versions.has(name));
      const version = type?.versions.get(name);
      return type && version && { type, version };
    },
    applyConfiguration,
    decodeJson: (text) => decodeJson(text).value,
    managedFieldsProblem,
  });
  return { chain, clients };
}

function applyConfiguration({ type, version }: Target, object: ApiObject, configuration: ApiObject): ApiObject {
  const { schema } = version;
  const builtIn = schema === undefined ? deducedType : typeOfSchema(schema);
  return merge(type.custom ? customResourceType(schema) : builtIn, object, configuration) as ApiObject;
}

function managedFieldsProblem(entries: readonly JsonObject[]): string | undefined {
  try {
    decodeManagedFields([...entries]);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
