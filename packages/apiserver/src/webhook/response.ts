import { goQuote, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { readYamlDocument } from "@kubewright/cel/yaml";
import type { WebhookResponse } from "./client.ts";

/** Decodes JSON. Throws an Error with the message of Go's decoder. */
export type DecodeJson = (text: string) => Json;

/** The document that a webhook must answer with. */
export interface ExpectedDocument {
  group: string;
  version: string;
  kind: string;
  /** All versions that kube-apiserver can read. */
  versions: readonly string[];
}

const maximumShownBytes = 2048;
const scheme = "pkg/runtime/scheme.go:111";
const headType = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/**
 * Reads the document in the response of a webhook.
 *
 * @param response - the response
 * @param expected - the kind of the document
 * @param decodeJson - decodes JSON
 * @returns the document, with the `apiVersion` and `kind` that it came with
 * @throws Error with the message of kube-apiserver's client
 */
export function webhookDocument(
  response: WebhookResponse,
  expected: ExpectedDocument,
  decodeJson: DecodeJson,
): JsonObject {
  const { status, body } = response;
  if (status < 200 || status > 206) throw new Error(unexpectedStatus(response, decodeJson));
  if (body.length === 0) {
    throw new Error(`0-length response with status code: ${status} and content type: ${response.contentType}`);
  }
  const document = parseDocument(body.toString("utf8"), decodeJson);
  const { group, version } = splitVersion(textOf(document.apiVersion));
  const kind = textOf(document.kind) || expected.kind;
  const type = group === "" && version === "" ? expected : { group, version };
  if (type.group === expected.group && expected.versions.includes(type.version) && kind === expected.kind) {
    if (type.version === expected.version) return document;
    throw new Error(
      `converting (${type.version}.${kind}) to (${expected.version}.${expected.kind}): unknown conversion`,
    );
  }
  if (type.group === "" && type.version === "v1" && kind === "Status") {
    throw new Error(`converting (v1.Status) to (${expected.version}.${expected.kind}): unknown conversion`);
  }
  const name = type.group === "" ? type.version : `${type.group}/${type.version}`;
  throw new Error(`no kind ${goQuote(kind)} is registered for version ${goQuote(name)} in scheme ${goQuote(scheme)}`);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function splitVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf("/");
  return slash < 0
    ? { group: "", version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

function parseDocument(text: string, decodeJson: DecodeJson): JsonObject {
  const value = /^\s*\{/.test(text) ? parseJson(text, decodeJson) : parseYaml(text);
  if (value === null) return {};
  if (!isObject(value)) {
    throw headProblem(`json: cannot unmarshal ${jsonType(value)} into Go value of type ${headType}`);
  }
  for (const field of ["apiVersion", "kind"] as const) {
    const given = value[field] ?? null;
    if (given === null || typeof given === "string") continue;
    throw headProblem(`json: cannot unmarshal ${jsonType(given)} into Go struct field .${field} of type string`);
  }
  return value;
}

function headProblem(message: string): Error {
  return new Error(`couldn't get version/kind; json parse error: ${message}`);
}

function parseJson(text: string, decodeJson: DecodeJson): Json {
  try {
    return decodeJson(text);
  } catch (error) {
    throw headProblem((error as Error).message);
  }
}

function parseYaml(text: string): Json {
  return readYamlDocument(text).value as Json;
}

/** Returns the name of a value's type in messages of Go's decoder. */
export function jsonType(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

const fixedMessages: Record<number, string> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  409: "the server reported a conflict",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};

/** Describes a response whose status code isn't one of success, as the client of kube-apiserver does. */
function unexpectedStatus(response: WebhookResponse, decodeJson: DecodeJson): string {
  const { status, contentType, body } = response;
  if (body.length > 0) {
    try {
      const document = parseDocument(body.toString("utf8"), decodeJson);
      const isStatus = document.kind === "Status" && document.apiVersion === "v1";
      if (isStatus && document.status === "Failure") return textOf(document.message);
    } catch {
      // Not a document: the status code is all there is.
    }
  }
  const isText = contentType === "" || /^text\//i.test(contentType.trim());
  const shown = isText ? body.subarray(0, maximumShownBytes).toString("utf8").trim() : "unknown";
  if (status === 403 || status === 415) return shown;
  if (status === 406) {
    const nothing = shown === "" || shown === "unknown";
    return nothing ? "the server was unable to respond with a content type that the client supports" : shown;
  }
  const fixed = fixedMessages[status];
  if (fixed !== undefined) return fixed;
  if (status >= 500) return `an error on the server (${goQuote(shown)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}
