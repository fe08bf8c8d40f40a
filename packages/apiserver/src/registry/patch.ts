import { cloneJson, decodeJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { type ApiObject, type Decoded, DecodeError, type ObjectCodec } from "../model/resource.ts";
import { badRequest, internalError, notFound, StatusError } from "../model/status.ts";
import type { WriteOptions } from "../model/write-options.ts";
import { applyJsonPatch } from "../patch/json-patch.ts";
import { applyMergePatch } from "../patch/merge-patch.ts";
import { type FieldValidation, type Patched, strictMessage, undecodablePatch } from "../patch/result.ts";
import { applyStrategicPatch } from "../patch/strategic-merge.ts";
import { bodyBytes, checkPatchedKind, type Expected } from "../request/body.ts";
import { unsupportedMediaType } from "../request/negotiation.ts";
import { decodeYaml, yamlErrors } from "../request/yaml.ts";
import { checkNameInPath } from "./metadata.ts";
import type { Scope } from "./scope.ts";

/**
 * Checks that a patch is JSON, which the real server does for its audit log.
 *
 * @throws StatusError (400) if it isn't
 */
function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw badRequest("invalid JSON patch");
  }
}

const yamlPrefix = "error converting YAML to JSON: ";

/**
 * Checks that a patch in YAML can be read, which the real server does for its audit log. Patches that look like JSON are
 * checked when they are applied.
 *
 * @throws StatusError (400) if it can't
 */
function checkYaml(text: string): void {
  if (/^\s*\{/.test(text)) return;
  decodeYaml(text, (message) => badRequest(`error encoding patch: ${message.slice(yamlPrefix.length)}`));
}

/** A patch of one of the types. */
export interface Patcher {
  /** True for server-side apply. */
  apply: boolean;
  /**
   * Prepares the patch for its options.
   *
   * @returns a function that creates the new state from the present one, in the version of the request
   */
  prepare(options: WriteOptions): (live: ApiObject | undefined) => Promise<ApiObject>;
}

const applyType = "application/apply-patch+yaml";
const builtInTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  applyType,
];
const customTypes = ["application/json-patch+json", "application/merge-patch+json", applyType];

/**
 * Chooses the type of a patch.
 *
 * @param scope - the request
 * @returns the patch
 * @throws StatusError (415) for other media types
 */
export function patchOf(scope: Scope): Patcher {
  const header = scope.request.headers["content-type"];
  const given = (Array.isArray(header) ? header[0] : header) ?? "";
  const type = withoutParameters(given);
  const types = scope.type.custom ? customTypes : builtInTypes;
  if (!types.includes(type)) {
    // The router of built-in kinds refuses them before a handler can name the types, unless one in a list of types is known.
    const isRouted = given.split(",").some((part) => types.includes(withoutParameters(part).trim()));
    throw scope.type.custom || isRouted
      ? unsupportedMediaType(types)
      : new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  }
  if (type === applyType) return { apply: true, prepare: (options) => applyFunction(scope, options) };
  return { apply: false, prepare: (options) => patchFunction(scope, type, options) };
}

const withoutParameters = (type: string): string => type.split(";")[0] as string;

function applyFunction(scope: Scope, options: WriteOptions): (live: ApiObject | undefined) => Promise<ApiObject> {
  const text = bodyBytes(scope.request).toString("utf8");
  checkYaml(text);
  checkNameInPath(scope.info.name);
  return async (live) => {
    const { value, duplicates } = decodeYaml(text, (message) => badRequest(`error decoding patch: ${message}`));
    const applied = (value ?? {}) as Json;
    if (!isObject(applied)) {
      const type = Array.isArray(applied) ? "array" : typeof applied === "boolean" ? "bool" : typeof applied;
      const problem = `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
      throw badRequest(`error decoding patch: error unmarshaling JSON: while decoding JSON: ${problem}`);
    }
    const force = options.force === true;
    const result = await scope.fieldManager().apply(live, applied as ApiObject, options.fieldManager, force);
    if (duplicates.length > 0 && options.fieldValidation === "Strict") {
      throw badRequest(`error strict decoding patch: error converting YAML to JSON: ${yamlErrors(duplicates)}`);
    }
    if (options.fieldValidation === "Warn") for (const message of duplicates) scope.warn(message);
    // A new custom resource has only what was applied.
    result.metadata ??= {};
    return result;
  };
}

function patchFunction(
  scope: Scope,
  type: string,
  options: WriteOptions,
): (live: ApiObject | undefined) => Promise<ApiObject> {
  const body = bodyBytes(scope.request).toString("utf8");
  checkJson(body);
  checkNameInPath(scope.info.name);
  return async (live) => {
    if (live === undefined) throw notFound(scope.groupResource, scope.info.name);
    const patched = applyPatchOf(scope, type, live, body, options.fieldValidation);
    if (!scope.type.custom) {
      // Texts have the fields of structs in Go's order, whereas rules such as allocations add fields at the end.
      const inOrder = (): ApiObject => scope.expected().codec.stored?.(cloneJson(live)) ?? live;
      patched.shown = (custom) => applyPatchOf(scope, type, inOrder(), body, "Ignore").shown(custom);
    }
    const object = decodePatched(scope, patched, options);
    return scope.fieldManager().update(live, object, scope.manager(options.fieldManager));
  };
}

function applyPatchOf(scope: Scope, type: string, live: ApiObject, body: string, validation: FieldValidation): Patched {
  switch (type) {
    case "application/json-patch+json":
      return applyJsonPatch(live, body, validation);
    case "application/merge-patch+json":
      return applyMergePatch(live, body, validation);
    default:
      return applyStrategicPatch(live, body, scope.expected().schema ?? {}, validation);
  }
}

/** Reads the result of a patch as an object of the kind. */
function decodePatched(scope: Scope, patched: Patched, { fieldValidation }: WriteOptions): ApiObject {
  const custom = scope.type.custom && scope.info.subresource !== "scale";
  let decoded: Decoded;
  const expected = scope.expected();
  if (patched.converted) patched.value = withKindOf(expected, patched.value);
  try {
    if (!custom && !patched.converted) checkPatchedKind(expected, patched.value);
    decoded =
      custom || patched.converted || !isObject(patched.value) || patched.value.apiVersion
        ? decodeInTextOrder(expected.codec, patched, custom)
        : decodeUnversioned(patched.value);
  } catch (error) {
    if (error instanceof DecodeError) throw undecodablePatch(patched, error.message, custom);
    throw error;
  }
  if (scope.type.custom && !decoded.object.apiVersion) {
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
  }
  const messages = fieldValidation === "Ignore" ? [] : [...patched.strict, ...decoded.strict];
  if (fieldValidation === "Strict" && messages.length > 0)
    throw undecodablePatch(patched, strictMessage(messages), custom);
  for (const message of messages) scope.warn(message);
  return decoded.object;
}

/** The real server converts the result of a strategic merge patch to the Go type of the kind, whatever kind it names. */
function withKindOf({ group, version, kind }: Expected, value: Json): Json {
  if (!isObject(value)) return value;
  const names: JsonObject = { apiVersion: group === "" ? version : `${group}/${version}`, kind };
  const kept = Object.keys(names).filter((key) => value[key] === undefined || typeof value[key] === "string");
  return { ...value, ...Object.fromEntries(kept.map((key) => [key, names[key] as Json])) };
}

/**
 * Decodes a patched object. The real server decodes its text, which sorts the keys of objects that the patch visited: the
 * first problem, and the order of several unknown fields, are those of the text.
 */
function decodeInTextOrder(codec: ObjectCodec, patched: Patched, custom: boolean): Decoded {
  const decodeText = (): Decoded => codec.decode(decodeJson(patched.shown(false)).value);
  const hasText = !custom && patched.converted !== true;
  let decoded: Decoded;
  try {
    decoded = codec.decode(patched.value, patched.converted);
  } catch (error) {
    if (hasText && error instanceof DecodeError) decodeText();
    throw error;
  }
  return hasText && decoded.strict.length > 1 ? { ...decoded, strict: decodeText().strict } : decoded;
}

/** The real server decodes a built-in object without a version into its internal type, which has none of the fields. */
function decodeUnversioned({ apiVersion, kind, ...fields }: JsonObject): Decoded {
  return {
    object: { metadata: {} },
    strict: Object.keys(fields)
      .sort()
      .map((name) => `unknown field ${JSON.stringify(name)}`),
  };
}
