import { decodeJson, encodeJson, encodeSorted, goQuote, isObject, jsonKind } from "@kubewright/cel/json";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { badRequest, notFound, StatusError } from "../model/status.ts";
import type { Change, Entry } from "../model/stored-state.ts";
import { requiredValue } from "../request/field-selector.ts";
import type { ListOptions } from "../request/options.ts";
import { firstIndex } from "../storage/collection.ts";
import { convertStored, objectKey, parseStored, type Scope, storageApiVersion } from "./scope.ts";
import { type Matcher, selectionOf } from "./selection.ts";
import { createTurns } from "./turns.ts";
import { decoded } from "./undecodable.ts";

const expiredContinue =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";

/** Texts of custom resources that were written under an older definition, decoded once. */
const decodedTexts = new WeakMap<Entry, Map<string, string>>();

/** Returns true if the stored text is what a request for this version reads. */
function isCurrent(scope: Scope, entry: Entry): boolean {
  const { type, version } = scope;
  if (version.version !== type.storageVersion || type.storedForm !== undefined) return false;
  return !type.custom || !needsDecoding(type, entry);
}

/** Returns true if the text was written under an older definition, or lacks defaults. */
export function needsDecoding(type: ResourceType, entry: Entry): boolean {
  return entry.incomplete === true || entry.revision <= (type.cleanSince ?? 0);
}

/**
 * Reads a stored object in the version in which it is stored.
 *
 * @param type - the resource
 * @param entry - the stored state
 * @returns a new object
 */
export function decodeEntry(type: ResourceType, entry: Entry): ApiObject {
  const stored = parseStored(type, entry.text);
  return (needsDecoding(type, entry) ? type.decodeStored?.(stored) : undefined) ?? stored;
}

/**
 * Reads a stored object in the version of the request.
 *
 * @param scope - the request
 * @param entry - the stored state
 * @returns a new object
 */
export async function readObject(scope: Scope, entry: Entry): Promise<ApiObject> {
  const { type } = scope;
  if (isCurrent(scope, entry)) return parseStored(type, entry.text);
  const { verb } = scope.info;
  const isCached = verb === "list" || verb === "watch" || verb === "deletecollection";
  return decoded(entry, async () => {
    if (isCached && type.converted) return type.converted.read(type, entry, scope.version.version);
    // The conversion that the write began comes first.
    await type.converted?.known(entry, scope.version.version);
    return convertStored(type, decodeEntry(type, entry), scope.version.version);
  });
}

/**
 * Reads a stored object in the version of the request, as JSON.
 *
 * @param scope - the request
 * @param entry - the stored state
 * @param withType - false to leave out `apiVersion` and `kind` of built-in kinds, as in lists
 * @returns the JSON of the object; a promise only if it must be converted
 */
export function readText(scope: Scope, entry: Entry, withType: boolean): string | Promise<string> {
  if (isCurrent(scope, entry)) {
    if (scope.type.custom || !withType) return entry.text;
    return withTypeMeta(scope.type.kind, storageApiVersion(scope.type), entry.text);
  }
  const cached = decodedTexts.get(entry)?.get(scope.apiVersion);
  if (cached !== undefined && withType) return cached;
  return readObject(scope, entry).then((object) => {
    if (!withType && !scope.type.custom) {
      const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
      return encodeJson(rest);
    }
    const text = scope.type.custom ? encodeSorted(object) : encodeJson(object);
    let texts = decodedTexts.get(entry);
    if (texts === undefined) {
      texts = new Map();
      decodedTexts.set(entry, texts);
    }
    // A change of the definition makes a new version, whose objects are decoded anew.
    if (!scope.type.custom) texts.set(scope.apiVersion, text);
    return text;
  });
}

function withTypeMeta(kind: string, apiVersion: string, text: string): string {
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`;
  return text === "{}" ? `${head}}` : `${head},${text.slice(1)}`;
}

/**
 * Reads one object.
 *
 * @param scope - the request
 * @returns its stored state
 * @throws StatusError if it doesn't exist, or the client has seen a newer state
 */
export function getEntry(scope: Scope): Entry {
  checkFuture(scope, scope.info.query.text("resourceVersion"));
  const entry = scope.collection.get(objectKey(scope.type, scope.info.namespace, scope.info.name));
  if (entry === undefined) throw notFound(scope.groupResource, scope.info.name);
  return entry;
}

/** Throws if a resourceVersion is later than the present. */
function checkFuture(scope: Scope, resourceVersion: string): number {
  if (resourceVersion === "") return 0;
  const revision = parseRevision(resourceVersion);
  if (revision > scope.engine.store.revision) throw tooLarge(scope, resourceVersion);
  return revision;
}

/**
 * Reads a resourceVersion.
 *
 * @param text - the parameter of the request
 * @returns the revision
 * @throws StatusError if it isn't a number: 500, as in kube-apiserver, which only expects it in lists
 */
export function parseRevision(text: string): number {
  const problem = revisionProblem(text);
  if (problem !== undefined) throw new StatusError(500, "", problem);
  return Number(text);
}

const maxUint64 = 2n ** 64n - 1n;

function revisionProblem(text: string): string | undefined {
  const problem = !/^\d+$/.test(text) ? "invalid syntax" : BigInt(text) > maxUint64 ? "value out of range" : undefined;
  if (problem === undefined) return undefined;
  const shown = goQuote(text);
  return `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: ${problem}`;
}

/** Returns the error for a resourceVersion that the server hasn't reached. */
export function tooLarge(scope: Scope, asked: string): StatusError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${scope.engine.store.revision}`;
  return new StatusError(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

function expired(message: string, continueToken?: string): StatusError {
  return new StatusError(410, "Expired", message, undefined, continueToken);
}

/** The keys that a request can be about. */
export function keyPrefix(scope: Scope, options: ListOptions): string {
  if (!scope.type.namespaced) return "";
  const namespace = scope.info.namespace || requiredValue(options.fieldSelector, "metadata.namespace") || "";
  return namespace === "" || namespace.includes("/") ? "" : `${namespace}/`;
}

/** A page of a list. */
export interface Page {
  entries: Entry[];
  revision: number;
  continue: string;
  remaining: number | undefined;
  /** The shard selector in canonical form, if the request has one. */
  shard: string | undefined;
}

interface Token {
  v: string;
  rv: number;
  start: string;
}

/**
 * Reads a page of a list.
 *
 * @param scope - the request
 * @param options - its options
 * @returns the objects that match, and where the next page begins
 * @throws StatusError if the requested revision is too old, too new or malformed
 */
export async function listEntries(scope: Scope, options: ListOptions): Promise<Page> {
  const { store } = scope.engine;
  const { matches, excludes, shard } = selectionOf(scope, options);
  const prefix = keyPrefix(scope, options);
  // Lists of any revision come from the cache of the real server, which has no limit.
  const isLimited = options.limit > 0 && options.resourceVersion !== "0";
  const limit = isLimited ? options.limit : Number.POSITIVE_INFINITY;
  // An object that is selected by its name is read alone, whatever the limit is.
  const hasName = requiredValue(options.fieldSelector, "metadata.name") !== undefined;
  const isSingle = hasName && (prefix !== "" || !scope.type.namespaced);
  let revision = store.revision;
  let after = "";
  let exact = false;
  if (options.continue !== "") {
    const token = parseContinue(options.continue, prefix);
    if (options.resourceVersion !== "" && options.resourceVersion !== "0") {
      throw badRequest("specifying resource version is not allowed when using continue");
    }
    after = token.start;
    if (token.rv > 0) {
      revision = token.rv;
      exact = true;
      if (revision < scope.collection.compacted) {
        const start = token.start.slice(prefix.length);
        throw expired(expiredContinue, continueToken({ v: tokenVersion, rv: -1, start }));
      }
    }
  } else if (options.resourceVersion !== "") {
    const problem = revisionProblem(options.resourceVersion);
    if (problem !== undefined) throw badRequest(`invalid resource version: ${problem}`);
    const asked = checkFuture(scope, options.resourceVersion);
    // A list with a limit reads exactly the given revision, unless any or a minimum will do.
    exact =
      options.resourceVersionMatch === "Exact" ||
      (options.resourceVersionMatch === "" && asked > 0 && options.limit > 0 && !isSingle);
    if (exact) {
      revision = asked;
      if (revision < scope.collection.compacted) {
        throw expired(`The resourceVersion for the provided list is too old.`);
      }
    }
  }

  const all =
    exact && revision < store.revision ? scope.collection.listAt(prefix, revision) : scope.collection.list(prefix);
  const rest = after === "" ? all : all.slice(firstIndex(all, after));
  if (matches === undefined && rest.length <= limit)
    return { entries: rest, revision, continue: "", remaining: undefined, shard };

  const entries: Entry[] = [];
  const turn = createTurns(scope.engine);
  for (const [index, entry] of rest.entries()) {
    const others = turn();
    if (others !== undefined) await others;
    if (entries.length === limit && !isSingle) {
      const last = rest[index - 1] as Entry;
      const token = continueToken({ v: tokenVersion, rv: revision, start: `${last.key.slice(prefix.length)}\0` });
      const remaining = matches === undefined ? rest.length - index : undefined;
      return { entries, revision, continue: token, remaining, shard };
    }
    if (excludes?.(entry.key)) continue;
    if (matches === undefined || matches(await readObject(scope, entry))) entries.push(entry);
  }
  return { entries, revision, continue: "", remaining: undefined, shard };
}

const tokenVersion = "meta.k8s.io/v1";

function continueToken({ start, ...token }: Token): string {
  return Buffer.from(JSON.stringify({ ...token, start: `/${start}` })).toString("base64url");
}

/** Reads where a list continues. The token holds the key relative to the namespace of the request. */
function parseContinue(text: string, prefix: string): Token {
  const bad = (problem: string): StatusError => badRequest(`invalid continue token: ${problem}`);
  const wrong = /[^A-Za-z0-9_-]/.exec(text);
  if (wrong !== null || text.length % 4 === 1) {
    const at = wrong?.index ?? text.length - 1;
    throw bad(`continue key is not valid: illegal base64 data at input byte ${at}`);
  }
  let token: Partial<Token>;
  const bytes = Buffer.from(text, "base64url");
  try {
    const [head = 0] = bytes;
    // Go's decoder reads bytes, UTF-8 or not.
    if (head >= 0x80)
      throw new Error(`invalid character '${String.fromCharCode(head)}' looking for beginning of value`);
    const value = decodeJson(bytes.toString()).value ?? {};
    if (!isObject(value))
      throw new Error(`json: cannot unmarshal ${jsonKind(value)} into Go value of type storage.continueToken`);
    token = value as Partial<Token>;
  } catch (error) {
    throw bad(`continue key is not valid: ${(error as Error).message}`);
  }
  if (token.v !== tokenVersion)
    throw bad(`continue key is not valid: server does not recognize this encoded version ${token.v ?? ""}`);
  if (typeof token.rv !== "number" || token.rv === 0) {
    throw bad("continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (typeof token.start !== "string" || token.start === "") {
    throw bad("continue key is not valid: encoded start key empty (version meta.k8s.io/v1)");
  }
  const start = token.start.replace(/^\//, "");
  if (start.split("/").includes("..")) throw bad(`continue key is not valid: ${start}`);
  return { v: token.v, rv: token.rv, start: prefix + start };
}

/** A change as a watcher sees it. */
export interface SeenChange {
  type: "ADDED" | "MODIFIED" | "DELETED";
  entry: Entry;
}

/**
 * Translates a change for a watcher with selectors: objects that begin to match are added, those that end to are deleted.
 *
 * @param scope - the request
 * @param change - the change
 * @param matches - the selectors; undefined for none
 * @returns what the watcher sees, or undefined if the change is none of its concern
 */
export async function seenChange(
  scope: Scope,
  change: Change,
  matches: Matcher | undefined,
): Promise<SeenChange | undefined> {
  const { previous, entry } = change;
  if (matches === undefined) {
    return { type: change.deleted ? "DELETED" : previous === undefined ? "ADDED" : "MODIFIED", entry };
  }
  const before = previous !== undefined && matches(await readObject(scope, previous));
  const after = !change.deleted && matches(await readObject(scope, entry));
  if (after) return { type: before ? "MODIFIED" : "ADDED", entry };
  if (!before) return undefined;
  if (change.deleted) return { type: "DELETED", entry };
  // The last state that matched, with the revision of this change.
  const last = parseStored(scope.type, (previous as Entry).text);
  last.metadata.resourceVersion = String(change.revision);
  const text = scope.type.custom ? encodeJson(last) : withoutType(last);
  return { type: "DELETED", entry: { key: change.key, revision: change.revision, text } };
}

function withoutType(object: ApiObject): string {
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
  return encodeJson(rest);
}
