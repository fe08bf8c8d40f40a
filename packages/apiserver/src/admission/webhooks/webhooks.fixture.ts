import type { Json, JsonObject } from "@kubewright/cel/json";
import { compileJavaScript } from "../../expressions/expressions.fixture.ts";
import type { ResourceType } from "../../model/resource.ts";
import type { StatusError } from "../../model/status.ts";
import type { Store } from "../../storage/store.ts";
import { WebhookClients } from "../../webhook/client.ts";
import { WebhookServer } from "../../webhook/webhook-server.fixture.ts";
import { attributesOf, configMap, put, storeWith } from "../admission.fixture.ts";
import { AdmissionChain } from "../chain.ts";
import { Matcher } from "../plugin/match.ts";
import { type JsonPatches, MutatingWebhooks, objectDecoder } from "./mutating-webhooks.ts";
import { ValidatingWebhooks } from "./validating-webhooks.ts";
import type { WebhookCalls } from "./webhook-call.ts";
import { WebhookConfigurations } from "./webhook-configurations.ts";

/** Applies the operations of JSON patches that these tests use: adding and removing keys. */
const patches: JsonPatches = {
  isFailedTest: () => false,
  decode: (text) => JSON.parse(text) as Json[],
  apply: (document, patch) => {
    const copy = JSON.parse(JSON.stringify(document)) as JsonObject;
    for (const operation of patch as { op: string; path: string; value: Json }[]) {
      const parts = operation.path.slice(1).split("/");
      const last = parts.pop() as string;
      let parent: JsonObject = copy;
      for (const part of parts) parent = parent[part] as JsonObject;
      if (operation.op === "remove" && !(last in parent)) throw new Error(`Unable to remove nonexistent key: ${last}`);
      if (operation.op === "remove") delete parent[last];
      else parent[last] = operation.value;
    }
    return copy;
  },
};

/** A webhook server and the webhooks that are configured. */
export class WebhookBench {
  readonly clients: WebhookClients = new WebhookClients({
    now: Date.now,
    userAgent: "kube-apiserver-admission",
    resolveService: () => ({ host: "127.0.0.1", port: this.server.port }),
  });
  readonly server: WebhookServer;
  store: Store = storeWith();
  /** The responses by path, without the UID. */
  respond: Record<string, JsonObject | ((request: JsonObject) => JsonObject)> = {};
  /** Two resources that store the same objects. */
  equivalents: ResourceType[] = [];

  constructor() {
    this.server = new WebhookServer((path, body) => {
      const review = JSON.parse(body) as { apiVersion: string; request: JsonObject };
      const configured = this.respond[path.slice(1).split("?")[0] as string] ?? {};
      const response = typeof configured === "function" ? configured(review.request) : configured;
      if (typeof response.http === "number") {
        return { status: response.http, type: "text/plain", body: "webhook says no" };
      }
      const answer = { uid: review.request.uid, ...response };
      return { body: JSON.stringify({ apiVersion: review.apiVersion, kind: "AdmissionReview", response: answer }) };
    });
  }

  reset(): void {
    this.store = storeWith({ name: "ns", labels: { "kubernetes.io/metadata.name": "ns" } });
    this.respond = { v: { allowed: true } };
    this.equivalents = [];
    this.server.requests.length = 0;
  }

  chain(): AdmissionChain {
    const { store, clients } = this;
    const calls: WebhookCalls = {
      clients,
      matcher: new Matcher(store, (type) => (this.equivalents.includes(type) ? this.equivalents : [type])),
      decodeJson: JSON.parse,
      uid: () => "uid-1",
    };
    const decode = objectDecoder((apiVersion, kind) => {
      throw new Error(`no kind "${kind}" is registered for version "${apiVersion}"`);
    });
    const mutating = new WebhookConfigurations(store, "mutatingwebhookconfigurations", compileJavaScript);
    const validating = new WebhookConfigurations(store, "validatingwebhookconfigurations", compileJavaScript);
    return new AdmissionChain(
      [new MutatingWebhooks(mutating, calls, patches, decode), new ValidatingWebhooks(validating, calls)],
      [],
      (entries) => (entries.some((entry) => !entry.operation) ? 'invalid operation ""' : undefined),
    );
  }

  /** Stores a configuration. */
  configure(kind: "mutating" | "validating", name: string, ...webhooks: JsonObject[]): void {
    const base = {
      ...this.hook("v"),
      rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["*"], scope: "*" }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      timeoutSeconds: 10,
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
    };
    put(this.store, `${kind}webhookconfigurations.admissionregistration.k8s.io`, name, {
      metadata: { name },
      webhooks: webhooks.map((webhook) => ({ ...base, ...webhook })),
    });
  }

  /** Creates a webhook that is called at a path. */
  hook(path: string, changes: JsonObject = {}): JsonObject {
    const clientConfig = { url: `${this.server.url}/${path}`, caBundle: this.server.leafBundle };
    return { name: `${path}.example.com`, clientConfig, ...changes };
  }

  async close(): Promise<void> {
    this.clients.close();
    await this.server.close();
  }
}

/** Creates the request to create a config map. */
export const create = (): ReturnType<typeof attributesOf> => attributesOf({ object: configMap("a") });

/** Returns the error of a rejected request. */
export async function failure(
  run: Promise<unknown>,
): Promise<{ code: number; reason: string; message: string; details: unknown }> {
  try {
    await run;
  } catch (error) {
    const { code, reason, message, details } = error as StatusError;
    return { code, reason, message, details };
  }
  throw new Error("the request was allowed");
}

/** Returns a response with a JSON patch. */
export function patchOf(...operations: JsonObject[]): JsonObject {
  return { allowed: true, patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(operations)).toString("base64") };
}
