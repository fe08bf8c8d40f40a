import {
  decodeJoined,
  decodeJson,
  isObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  jsonKind,
  keyPositions,
  sortKeys,
} from "@kubewright/cel/json";
import { splitApiVersion } from "@kubewright/cel/validation";
import type { Encoding } from "../model/encoding.ts";
import type { ApiRequest } from "../model/request.ts";
import { type ApiObject, DecodeError, type ObjectCodec } from "../model/resource.ts";
import { badRequest } from "../model/status.ts";
import type { WriteOptions } from "../model/write-options.ts";
import { bodyEncoding } from "./negotiation.ts";
import { decodeYaml, yamlErrors } from "./yaml.ts";

/** Errors name protobuf for custom resources too. */
const listedEncodings: readonly Encoding[] = ["json", "yaml", "protobuf"];

/** The body of a request with its encoding. */
export interface Body {
  encoding: Encoding;
  bytes: Buffer;
}

/** The kind that the body of a request must have. */
export interface Expected {
  group: string;
  version: string;
  kind: string;
  /** True for custom resources: they must name their kind, and their messages differ. */
  custom: boolean;
  /** True for the scale of custom resources, whose server has no other kinds. */
  isScaleOfCustom?: boolean;
  codec: ObjectCodec;
  /** Finds the codec of another built-in kind, for messages. */
  codecOf?: (group: string, version: string, kind: string) => ObjectCodec | undefined;
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
  const encoding = bodyEncoding(Array.isArray(type) ? type[0] : type, encodings, listedEncodings);
  return { encoding, bytes: bodyBytes(request) };
}

/** Returns the bytes of a body; empty without a body. */
export function bodyBytes({ body = "" }: ApiRequest): Buffer {
  return typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/**
 * Reads the object in a body.
 *
 * @param expected - what it has to be
 * @param body - the body
 * @param validation - what to do about unknown and repeated fields
 * @param warn - receives warnings
 * @returns the object with defaults, in the expected version
 * @throws StatusError (400) if the body isn't such an object
 */
export function decodeBody(
  expected: Expected,
  body: Body,
  validation: WriteOptions["fieldValidation"],
  warn: (message: string) => void,
): ApiObject {
  let decoded: { kind: string; version: string } | undefined;
  try {
    const { value, duplicates: repeated } = parseBody(expected, body);
    const { group, version, kind } = kindOf(expected, value, body.bytes);
    decoded = { kind, version };
    if (version === "" && !expected.custom) {
      throw new DecodeError(`Object 'apiVersion' is missing in '${body.bytes.toString("utf8")}'`);
    }
    checkKind(expected, group, version, kind);
    // Built-in kinds are decoded from the JSON of the YAML, which has sorted keys.
    const isSorted = body.encoding === "yaml" && !expected.custom;
    const { object, strict } = expected.codec.decode(isSorted ? sortKeys(value) : value);
    const duplicates = expected.custom ? repeated : repeated.filter((message) => !isOfUnknown(message, strict));
    const messages = [...duplicates, ...strict];
    const isMixed = duplicates.length > 0 && strict.length > 0;
    if (isMixed && body.encoding === "json" && !expected.custom) sortByPosition(messages, body);
    if (validation === "Warn") for (const message of messages) warn(message);
    if (validation === "Strict" && messages.length > 0) {
      throw new DecodeError(`strict decoding error: ${strictText(body.encoding, duplicates, messages)}`);
    }
    return object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const where = error.found ?? decoded;
    if (where !== undefined && where.kind !== "") {
      const shown = `${where.kind} in version ${JSON.stringify(where.version)}`;
      throw badRequest(`${shown} cannot be handled as a ${expected.kind}: ${error.message}`);
    }
    const text = `the object provided is unrecognized (must be of type ${expected.kind}): ${error.message}`;
    throw badRequest(`${text} (${summarize(body.bytes)})`);
  }
}

/** Both kinds of messages about JSON have the order of the text. */
function sortByPosition(messages: string[], { bytes }: Body): void {
  const positions = keyPositions(bytes.toString("utf8"));
  const positionOf = (message: string): number => positions.get(pathIn(message)) ?? 0;
  messages.sort((a, b) => positionOf(a) - positionOf(b));
}

/** Joins the messages about a body. Those about repeated keys of YAML come first, and have lines of their own. */
function strictText(encoding: Encoding, duplicates: readonly string[], messages: readonly string[]): string {
  if (encoding !== "yaml" || duplicates.length === 0) return messages.join(", ");
  return [yamlErrors(duplicates), ...messages.slice(duplicates.length)].join(", ");
}

const pathIn = (message: string): string => JSON.parse(message.slice(message.indexOf('"'))) as string;

/** Reports whether a repeated field is, or is in, one that the built-in kind doesn't have: these aren't read at all. */
function isOfUnknown(duplicate: string, strict: readonly string[]): boolean {
  if (!duplicate.startsWith("duplicate field")) return false;
  const path = pathIn(duplicate);
  return strict.some((message) => {
    const unknown = pathIn(message);
    return path === unknown || path.startsWith(`${unknown}.`) || path.startsWith(`${unknown}[`);
  });
}

function parseBody({ codec, custom }: Expected, { encoding, bytes }: Body): { value: Json; duplicates: string[] } {
  if (encoding === "protobuf") {
    if (codec.fromProtobuf === undefined) throw new DecodeError("protobuf is not supported by this kind");
    return { value: codec.fromProtobuf(bytes), duplicates: [] };
  }
  const text = bytes.toString("utf8");
  if (encoding === "yaml") return parseYamlBody(text);
  try {
    const { value, duplicates } = decodeJson(text);
    // Maps that hold a custom resource take the last of several equal keys, structs join their objects.
    const joined = duplicates.length > 0 && !custom ? decodeJoined(text) : value;
    return { value: joined, duplicates: duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (error.message.startsWith("json:")) throw new DecodeError(error.message, kindInText(text));
    throw new DecodeError(`couldn't get version/kind; json parse error: ${error.message}`);
  }
}

function kindInText(text: string): { kind: string; version: string } {
  const read = (key: string): string => new RegExp(`"${key}"\\s*:\\s*"([^"]*)"`).exec(text)?.[1] ?? "";
  return { kind: read("kind"), version: read("apiVersion").split("/").at(-1) as string };
}

function parseYamlBody(text: string): { value: Json; duplicates: string[] } {
  const { value, duplicates } = decodeYaml(
    text,
    (message) => new DecodeError(message.replace(/^error converting YAML to JSON: /, "")),
  );
  return { value, duplicates };
}

/**
 * Checks that a patch of a built-in kind hasn't changed the kind. Like in the real server, the object must be of the named kind first.
 *
 * @param expected - the kind of the object
 * @param value - the patched object
 * @throws DecodeError if it has
 */
export function checkPatchedKind(expected: Expected, value: Json): void {
  const { group, version, kind } = kindOf(expected, value);
  if (group === expected.group && version === expected.version && kind === expected.kind) return;
  expected.codecOf?.(group, version, kind)?.decode(value);
  checkKind(expected, group, version, kind);
}

/** Returns the problem of a document that isn't an object, in Go's words. */
export function notAnObject(value: Json): string {
  const struct =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${struct}`;
}

/**
 * Reads the kind of a body. Built-in kinds may leave it out.
 *
 * @param expected - the kind that the body should have
 * @param value - the body
 * @param bytes - the text of the body, for messages
 * @returns the kind that it has
 * @throws DecodeError if it can't be read
 */
export function kindOf(
  expected: Omit<Expected, "codec">,
  value: Json,
  bytes?: Buffer,
): { group: string; version: string; kind: string } {
  if (value !== null && !isObject(value)) {
    throw new DecodeError(`couldn't get version/kind; json parse error: ${notAnObject(value)}`);
  }
  const object = (value ?? {}) as JsonObject;
  const text = (key: string): string => (object[key] ?? "") as string;
  for (const key of Object.keys(object)) {
    const given = object[key] ?? "";
    if ((key !== "apiVersion" && key !== "kind") || typeof given === "string") continue;
    const problem = `json: cannot unmarshal ${jsonKind(given)} into Go struct field .${key} of type string`;
    throw new DecodeError(`couldn't get version/kind; json parse error: ${problem}`);
  }
  const apiVersion = text("apiVersion") === "/" ? "" : text("apiVersion");
  if (apiVersion.split("/").length > 2) throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  if (expected.custom && text("kind") === "") {
    throw new DecodeError(`Object 'Kind' is missing in '${bytes?.toString("utf8") ?? JSON.stringify(value)}'`);
  }
  if (apiVersion === "" && !expected.custom) {
    return { group: expected.group, version: expected.version, kind: text("kind") || expected.kind };
  }
  const [group, version] = splitApiVersion(apiVersion);
  return { group, version, kind: text("kind") || expected.kind };
}

function checkKind(expected: Expected, group: string, version: string, kind: string): void {
  const { group: wantedGroup, version: wantedVersion, kind: wantedKind, custom } = expected;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const wanted = wantedGroup === "" ? wantedVersion : `${wantedGroup}/${wantedVersion}`;
  if (!custom && !(apiVersion === wanted && kind === wantedKind)) {
    if (expected.isScaleOfCustom === true) {
      throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
    }
    if (expected.codecOf?.(group, version, kind) === undefined) {
      throw new DecodeError(
        `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
      );
    }
    // Groups with a kind of the same name share its internal form, such as Event, Scale and those of extensions.
    if (kind !== wantedKind) {
      const internal = (name: string): string => name.split(".")[0] || "core";
      throw new DecodeError(
        `converting (${version}.${kind}) to (${internal(wantedGroup)}.${wantedKind}): unknown conversion`,
      );
    }
  }
  if (apiVersion !== wanted) {
    throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`);
  }
}

const shownBytes = 30;

/** Shows the beginning of a body as the real server does: as text if it looks like JSON, otherwise in hexadecimal. */
function summarize(bytes: Buffer): string {
  if (bytes.length === 0) return "<empty>";
  const isJson = bytes[0] === 0x7b;
  const text = bytes.subarray(0, shownBytes).toString(isJson ? "utf8" : "hex");
  return bytes.length > shownBytes ? `${text} ...` : text;
}
