import { textOf } from "@kubewright/cel/crd";
import {
  cloneJson,
  decodeJson,
  encodeJson,
  equalJson,
  goQuote,
  isObject,
  type Json,
  type JsonObject,
} from "@kubewright/cel/json";
import { fieldErrorMessage, validateAnnotations, validateLabels } from "@kubewright/cel/validation";
import type { ApiObject } from "../model/resource.ts";
import { StatusError } from "../model/status.ts";
import type { ClientConfig, WebhookClients } from "../webhook/client.ts";
import { webhookDocument } from "../webhook/response.ts";
import type { ConvertCustom } from "./resource-type.ts";

const group = "apiextensions.k8s.io";
const versions = ["v1", "v1beta1"];
const timeoutSeconds = 30;
/** The empty response that a request contains. */
const noResponse = { uid: "", convertedObjects: null, result: { metadata: {} } };

interface Conversion extends JsonObject {
  strategy?: string;
  webhook?: { clientConfig: ClientConfig & JsonObject; conversionReviewVersions: string[] };
}

/** Converts an object to another version of its kind, in place of a webhook. */
export type InProcessConverter = (object: JsonObject, apiVersion: string) => Promise<JsonObject>;

/**
 * Creates the conversions between the versions of custom resources.
 *
 * @param clients - the connections to webhooks
 * @param uid - returns a new UID
 * @param inProcess - returns what converts objects in place of webhooks, if something does
 * @returns a function from a definition to its conversion
 */
export function createConverter(
  clients: WebhookClients,
  uid: () => string,
  inProcess: () => InProcessConverter | undefined = () => undefined,
): (definition: ApiObject) => ConvertCustom {
  return (definition) => {
    const { strategy, webhook } = ((definition.spec as JsonObject).conversion ?? {}) as Conversion;
    // Without a webhook, versions differ only in their names.
    if (strategy !== "Webhook" || webhook === undefined) return (object, apiVersion) => ({ ...object, apiVersion });
    return (object, apiVersion) =>
      isEmpty(object)
        ? { ...object, apiVersion }
        : convert(() => inProcessReview(inProcess()) ?? webhookReview(clients, webhook, uid), object, apiVersion);
  };
}

/** Returns the objects of the answer to one object. */
type Review = (object: ApiObject, apiVersion: string) => Promise<Json[]>;

/** Whether an object has no content: server-side apply converts those from which it has removed all fields. */
function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).every((key) => key === "apiVersion" || key === "kind");
}

function inProcessReview(converter: InProcessConverter | undefined): Review | undefined {
  return converter && (async (object, apiVersion) => [await converter(cloneJson(object), apiVersion)]);
}

/** @throws StatusError for reviews of unknown versions */
function webhookReview(
  clients: WebhookClients,
  { clientConfig, conversionReviewVersions }: NonNullable<Conversion["webhook"]>,
  newUid: () => string,
): Review {
  const version = conversionReviewVersions.find((conversionReviewVersion) =>
    versions.includes(conversionReviewVersion),
  );
  if (version === undefined) throw failure("no supported conversion review versions");
  return async (object, apiVersion) => {
    const uid = newUid();
    const request = { uid, desiredAPIVersion: apiVersion, objects: [object] };
    const document = { kind: "ConversionReview", apiVersion: `${group}/${version}`, request, response: noResponse };
    const response = await clients.call(callableConfig(clientConfig), timeoutSeconds, encodeJson(document));
    const decode = (text: string): Json => decodeJson(text).value;
    const expected = { group, version, kind: "ConversionReview", versions };
    return convertedObjects(webhookDocument(response, expected, decode), version, uid);
  };
}

async function convert(reviewOf: () => Review, object: ApiObject, apiVersion: string): Promise<ApiObject> {
  const review = reviewOf();
  const name = `${kindText(object)}`;
  let converted: Json[];
  try {
    converted = await review(object, apiVersion);
  } catch (error) {
    throw failure(`conversion webhook for ${name} failed: ${(error as Error).message}`);
  }
  const prefix = `conversion webhook for ${name} returned`;
  if (converted.length !== 1) throw failure(`${prefix} ${converted.length} objects, expected 1`);
  const result = converted[0] as Json;
  if (!isObject(result)) throw failure("unexpected end of JSON input");
  const mismatch = versionMismatch(object, result, apiVersion);
  if (mismatch !== undefined) throw failure(`${prefix} invalid object at index 0: ${mismatch}`);
  const problem = identityProblem(object, result);
  if (problem !== undefined) throw failure(`${prefix} invalid object: ${problem}`);
  try {
    return { ...result, metadata: restoredMetadata(object, result) };
  } catch (error) {
    throw failure(`${prefix} invalid metadata: ${(error as Error).message}`);
  }
}

/** Drops a bundle that contains only whitespace. */
function callableConfig(config: ClientConfig): ClientConfig {
  const bundle = Buffer.from(config.caBundle ?? "", "base64").toString("latin1");
  if (bundle.trim() !== "") return config;
  const { caBundle: _caBundle, ...rest } = config;
  return rest;
}

/** Failures of conversions have no reason. */
function failure(message: string): StatusError {
  return new StatusError(500, "", message);
}

function kindText({ apiVersion, kind }: JsonObject): string {
  const text = textOf(apiVersion);
  return `${text.includes("/") ? text : `/${text}`}, Kind=${textOf(kind)}`;
}

/** Reads the objects of an answer. Reviews of v1beta1 may lack their kind and UID. */
function convertedObjects(document: JsonObject, version: string, uid: string): Json[] {
  const { response } = document;
  if (version === "v1") {
    const expected = `${group}/v1, Kind=ConversionReview`;
    const kind = kindText(document);
    if (kind !== expected) throw new Error(`expected webhook response of ${expected}, got ${kind}`);
  }
  if (!isObject(response)) throw new Error("no response provided");
  const given = textOf(response.uid);
  if (version === "v1" && given !== uid)
    throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(given)}`);
  const result = isObject(response.result) ? response.result : {};
  const status = textOf(result.status);
  if (status !== "Success") {
    throw new Error(textOf(result.message) || `response.result.status was '${status}', not 'Success'`);
  }
  return Array.isArray(response.convertedObjects) ? response.convertedObjects : [];
}

function versionMismatch(object: JsonObject, result: JsonObject, apiVersion: string): string | undefined {
  const received = textOf(result.apiVersion);
  if (received !== apiVersion) return `invalid groupVersion (expected ${apiVersion}, received ${received})`;
  const kind = textOf(result.kind);
  return kind === object.kind ? undefined : `invalid kind (expected ${object.kind}, received ${kind})`;
}

function identityProblem(object: ApiObject, result: JsonObject): string | undefined {
  const [had, metadata] = [object, result].map((one) => (isObject(one.metadata) ? one.metadata : {}));
  for (const [field, label] of [
    ["name", "name"],
    ["namespace", "namespace"],
    ["uid", "UID"],
  ] as const) {
    const before = textOf(had?.[field]);
    const after = textOf(metadata?.[field]);
    if (before !== after) return `must have the same ${label}: ${before} != ${after}`;
  }
  return undefined;
}

/** A conversion may change labels and annotations, nothing else of the metadata. */
function restoredMetadata(object: ApiObject, result: JsonObject): ApiObject["metadata"] {
  const { metadata } = result;
  if (metadata === undefined) throw new Error("missing metadata in converted object");
  if (!isObject(metadata)) throw new Error(`invalid metadata of type ${goTypeOf(metadata)} in converted object`);
  // Server-side apply also converts objects without the fields that somebody owned.
  if (!isObject(object.metadata)) return {} as ApiObject["metadata"];
  const restored = cloneJson(object.metadata);
  for (const field of ["labels", "annotations"] as const) {
    const value = metadata[field] ?? null;
    if (value === null) {
      delete restored[field];
      continue;
    }
    if (!isObject(value)) throw new Error(`invalid metadata.${field} of type ${goTypeOf(value)} in converted object`);
    for (const [key, text] of Object.entries(value)) {
      if (typeof text === "string") continue;
      throw new Error(
        `metadata.${field}[${key}] must be a string, but is ${goTypeOf(text ?? null)} in converted object`,
      );
    }
    if (!equalJson(value, restored[field])) {
      const errors =
        field === "labels"
          ? validateLabels(value, "metadata.labels")
          : validateAnnotations(value, "metadata.annotation");
      const messages = [...new Set(errors.map(fieldErrorMessage))];
      if (messages.length > 0) throw new Error(messages.length === 1 ? messages[0] : `[${messages.join(", ")}]`);
    }
    restored[field] = value as Record<string, string>;
  }
  return restored;
}

function goTypeOf(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  if (typeof value === "bigint") return "int64";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : "string";
}
