import { request } from "node:https";
import {
  type CustomResourceVersion,
  coerceCustomResource,
  validateCustomResource,
  validateCustomResourceUpdate,
} from "@kubewright/cel/crd";
import { cloneJson, encodeSorted, type Json, type JsonObject } from "@kubewright/cel/json";
import { applyDefaults, type Schema } from "@kubewright/cel/schema";
import { fieldErrorMessage } from "@kubewright/cel/validation";
import type { Config } from "@kubewright/runtime";
import {
  defaultDefinition,
  definitionWarnings,
  prepareNewDefinition,
} from "../../packages/apiserver/src/crd/definition.ts";
import { validateDefinition } from "../../packages/apiserver/src/crd/validate-definition.ts";

/** The answer of a server to a write, without the parts that depend on time and order. */
export interface Verdict {
  /** The messages, sorted; empty for an accepted object. */
  errors: string[];
  /** Warnings, sorted. */
  warnings: string[];
  /** The spec of an accepted object, as text. */
  spec: string;
}

/** The answer of a server. */
export interface Answer {
  status: number;
  warnings: string[];
  body: JsonObject;
}

/** Sends requests to a real server. */
export class RealServer {
  readonly #config: Config;

  constructor(config: Config) {
    this.#config = config;
  }

  send(method: string, path: string, content?: Json, type = "application/json"): Promise<Answer> {
    const { host, ca, cert, key } = this.#config;
    return new Promise((resolve, reject) => {
      const headers = { "content-type": type, accept: "application/json" };
      const sent = request(new URL(path, host), { method, ca, cert, key, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const raw = response.rawHeaders;
          const warnings = raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === "warning");
          const text = Buffer.concat(chunks).toString();
          // Paths that aren't served yet are answered in plain text.
          const isJson = response.headers["content-type"]?.startsWith("application/json");
          const body = (isJson ? JSON.parse(text) : { message: text }) as JsonObject;
          resolve({ status: response.statusCode ?? 0, warnings, body });
        });
      });
      sent.on("error", reject);
      sent.end(content === undefined ? undefined : JSON.stringify(content));
    });
  }
}

/** @returns the verdict in an answer */
export function verdictOf(answer: Answer): Verdict {
  const warnings = answer.warnings.map((text) => JSON.parse(text.slice(text.indexOf('"'))) as string).sort();
  if (answer.status < 300) return { errors: [], warnings, spec: encodeSorted((answer.body.spec ?? null) as Json) };
  const details = answer.body.details as { causes?: { field?: string; message: string }[] } | undefined;
  const causes = details?.causes?.map(({ field, message }) => `${field}: ${message}`);
  return { errors: (causes ?? [String(answer.body.message)]).sort(), warnings, spec: "" };
}

/** @returns a definition of a cluster-scoped kind with a schema */
export function definitionOf(group: string, schema: Schema): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema as unknown as Json } }],
    },
  };
}

/** @returns the verdict of this package on a new definition */
export function ourVerdictOnDefinition(definition: JsonObject): Verdict {
  const copy = cloneJson(definition);
  defaultDefinition(copy);
  prepareNewDefinition(copy);
  const errors = [...new Set(validateDefinition(copy).map(fieldErrorMessage))].sort();
  return { errors, warnings: errors.length > 0 ? [] : definitionWarnings(copy).sort(), spec: "" };
}

/** @returns the version that a definition of {@link definitionOf} has */
export function versionOf(group: string, schema: Schema): CustomResourceVersion {
  return { group, version: "v1", kind: "Thing", namespaced: false, schema, preserveUnknownFields: false };
}

/** @returns the verdict of this package on a new object, or on one that replaces a stored object */
export function ourVerdict(version: CustomResourceVersion, object: JsonObject, stored?: JsonObject): Verdict {
  const copy = cloneJson(object);
  const warnings = coerceCustomResource(version, copy).map((path) => `unknown field "${path}"`);
  applyDefaults(copy as Json, version.schema);
  if (stored === undefined) copy.metadata = { ...(copy.metadata as JsonObject), generation: 1 };
  const errors =
    stored === undefined ? validateCustomResource(version, copy) : validateCustomResourceUpdate(version, copy, stored);
  const messages = errors.map(fieldErrorMessage).sort();
  return {
    errors: messages,
    warnings: warnings.sort(),
    spec: errors.length > 0 ? "" : encodeSorted((copy.spec ?? null) as Json),
  };
}
