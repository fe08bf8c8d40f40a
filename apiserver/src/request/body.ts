import { CORE_SCHEMA, load } from "js-yaml";
import type { Json } from "../json/json.ts";
import { type ApiObject, DecodeError } from "../registry/resource.ts";
import type { Scope } from "../registry/scope.ts";
import { bodyEncoding, type Encoding } from "./negotiation.ts";
import type { WriteOptions } from "./options.ts";
import type { ApiRequest } from "./request.ts";
import { badRequest } from "./status.ts";

/** The body of a request with its encoding. */
export interface Body {
  encoding: Encoding;
  bytes: Buffer;
}

/**
 * Reads the body of a request.
 *
 * @param request - the request
 * @param encodings - what the endpoint can read, the default first
 * @returns the body
 * @throws StatusError (415) for other media types
 */
export function readBody(request: ApiRequest, encodings: readonly Encoding[]): Body {
  const type = request.headers["content-type"];
  const encoding = bodyEncoding(Array.isArray(type) ? type[0] : type, encodings);
  const { body = "" } = request;
  return {
    encoding,
    bytes: typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength),
  };
}

/**
 * Reads the object in a body: its values, its kind, and what its schema says of unknown fields.
 *
 * @param scope - the request; receives warnings
 * @param body - the body
 * @param validation - what to do about unknown and repeated fields
 * @returns the object with defaults, in the version of the request
 * @throws StatusError (400) if the body isn't such an object
 */
export function decodeBody(scope: Scope, body: Body, validation: WriteOptions["fieldValidation"]): ApiObject {
  const { kind } = scope.bodyKind;
  try {
    const { object, strict } = scope.codec.read(body);
    if (strict.length > 0 && validation === "Warn") for (const message of strict) scope.warn(message);
    if (strict.length > 0 && validation === "Strict") {
      throw new DecodeError(`strict decoding error: ${strict.join(", ")}`, kindOf(object));
    }
    checkVersion(scope, object);
    return object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (error.found !== undefined && error.found.kind !== "") {
      const { kind: found, version } = error.found;
      throw badRequest(
        `${found} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error.message}`,
      );
    }
    const summary = summarize(body.bytes);
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${error.message} (${summary})`);
  }
}

function kindOf(object: ApiObject): { kind: string; version: string } {
  return { kind: object.kind ?? "", version: (object.apiVersion ?? "").split("/").at(-1) as string };
}

function checkVersion(scope: Scope, object: ApiObject): void {
  const expected = scope.bodyKind.apiVersion;
  const given = object.apiVersion ?? expected;
  if (given === expected) return;
  throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);
}

/** Shows the beginning of a body as the real server does. */
function summarize(bytes: Buffer): string {
  const max = 30;
  if (bytes.length === 0) return "<empty>";
  const text = JSON.stringify(bytes.toString("utf8"));
  const isJson = /^\s*\{/.test(bytes.subarray(0, 100).toString("latin1"));
  if (isJson) return text.length > max ? `${text.slice(0, max)} ...` : text;
  const hex = bytes.toString("hex");
  return hex.length > max ? `${hex.slice(0, max)} ...` : hex;
}

/**
 * Parses YAML as Kubernetes does: the first document, with the types of JSON.
 *
 * @param text - the YAML
 * @returns its value
 * @throws Error if it isn't YAML
 */
export function parseYaml(text: string): Json {
  return (load(text, { schema: CORE_SCHEMA }) ?? null) as Json;
}
