import { encodeJson, encodePretty, encodeSorted, type JsonObject, sortKeys } from "@kubewright/cel/json";
import { type Encoding, mediaTypes } from "../model/encoding.ts";
import type { Answer, ApiRequest } from "../model/request.ts";
import type { ApiObject, Metadata } from "../model/resource.ts";
import { badRequest, StatusError } from "../model/status.ts";
import type { Entry } from "../model/stored-state.ts";
import { encodeYaml } from "../request/encode-yaml.ts";
import { type Accepted, isPretty, negotiate, type Offer } from "../request/negotiation.ts";
import type { Query } from "../request/query.ts";
import { type Page, readObject, readText } from "./read.ts";
import { inGoOrder, type Scope } from "./scope.ts";
import { corruptIfUndecodable, readAll } from "./undecodable.ts";

const offered: readonly Encoding[] = ["json", "yaml", "protobuf"];

/** The resources whose `status` the real server doesn't write as a Table. */
const statusWithoutTable = new Set([
  "apiservices.apiregistration.k8s.io",
  "customresourcedefinitions.apiextensions.k8s.io",
  "resourceclaims.resource.k8s.io",
]);

/** Returns the offer of a resource: its own encodings, and Tables and partial metadata. */
function offerOf(scope: Scope): Offer {
  return { encodings: scope.version.encodings, listed: offered, transforms: true, tables: hasTables(scope) };
}

/** Reports whether objects can be written as a Table: those that are stored, their scale, and almost always their status. */
function hasTables({ info: { subresource }, type, version }: Scope): boolean {
  if (subresource === "") return version.verbs.some((verb) => verb !== "create");
  if (subresource === "status") return !statusWithoutTable.has(`${type.resource}.${type.group}`);
  return subresource === "scale";
}

/**
 * Chooses how to answer a request to a resource.
 *
 * @param scope - the request
 * @returns the choice
 * @throws StatusError (406) if the client accepts nothing that can be written
 */
export function acceptedOf(scope: Scope): Accepted {
  return acceptedBy(scope.request, scope.info.query, offerOf(scope));
}

/**
 * Chooses how to answer a request.
 *
 * @param request - the request
 * @param query - its parameters
 * @param offer - what the endpoint can write
 * @returns the choice
 * @throws StatusError (406) if the client accepts nothing that can be written
 */
export function acceptedBy(request: ApiRequest, query: Query | undefined, offer: Offer): Accepted {
  const accepted = negotiate(String(request.headers.accept ?? ""), offer);
  const agent = String(request.headers["user-agent"] ?? "");
  return { ...accepted, pretty: accepted.pretty || isPretty(query, agent) };
}

/**
 * Writes a document of the API.
 *
 * @param status - the HTTP status code
 * @param document - the document
 * @param accepted - how to write it
 * @param toProtobuf - writes protobuf, if the document has this form
 * @param headers - further header fields
 * @returns the response
 */
export function documentAnswer(
  status: number,
  document: JsonObject,
  accepted: Pick<Accepted, "encoding" | "pretty">,
  toProtobuf?: (document: JsonObject) => Uint8Array,
  headers: Answer["headers"] = {},
): Answer {
  const encoding = accepted.encoding === "protobuf" && toProtobuf === undefined ? "json" : accepted.encoding;
  return {
    status,
    headers: { "content-type": mediaTypes[encoding], ...headers },
    body: encode(document, encoding, accepted.pretty, toProtobuf),
  };
}

function encode(
  document: JsonObject,
  encoding: Encoding,
  pretty: boolean,
  toProtobuf: ((document: JsonObject) => Uint8Array) | undefined,
): string | Uint8Array {
  switch (encoding) {
    case "yaml":
      return encodeYaml(document);
    case "protobuf":
      return (toProtobuf as (document: JsonObject) => Uint8Array)(document);
    default:
      return pretty ? encodePretty(document) : `${encodeJson(document)}\n`;
  }
}

/**
 * Answers with one object.
 *
 * @param scope - the request
 * @param status - the HTTP status code
 * @param accepted - how to write it
 * @param object - the object, in the version of the request
 * @returns the response
 */
export function objectAnswer(scope: Scope, status: number, accepted: Accepted, object: ApiObject): Answer {
  const transformed = transform(scope, accepted, object);
  if (transformed !== object) return documentAnswer(status, transformed, accepted, scope.engine.metaToProtobuf);
  if (isSorted(scope)) {
    const answer = documentAnswer(status, accepted.pretty ? (sortKeys(object) as JsonObject) : object, accepted);
    const isText = accepted.encoding === "json" && !accepted.pretty;
    return isText ? { ...answer, body: `${encodeSorted(object)}\n` } : answer;
  }
  const { kind, apiVersion, metadata, ...rest } = object;
  const ordered = { kind, apiVersion, metadata: inGoOrder(metadata), ...rest } as JsonObject;
  return documentAnswer(status, ordered, accepted, scope.version.codec.toProtobuf);
}

/** The real server holds custom resources as maps, which it writes in the order of their keys. */
function isSorted({ type, info }: Scope): boolean {
  return type.custom && info.subresource !== "scale";
}

/** Answers with a stored object: the text of the store if nothing must be changed. */
export async function entryAnswer(scope: Scope, accepted: Accepted, entry: Entry): Promise<Answer> {
  if (accepted.encoding === "json" && accepted.as === undefined && !accepted.pretty) {
    return {
      status: 200,
      headers: { "content-type": mediaTypes.json },
      body: `${await corruptIfUndecodable(scope, () => readText(scope, entry, true))}\n`,
    };
  }
  return objectAnswer(scope, 200, accepted, await corruptIfUndecodable(scope, () => readObject(scope, entry)));
}

/**
 * Converts an object to the accepted form.
 *
 * @param scope - the request
 * @param accepted - how to write the response
 * @param object - the object, in the version of the request
 * @returns the object, a Table or partial metadata
 * @throws StatusError (406) for the form of a list
 */
export function transform(scope: Scope, accepted: Accepted, object: ApiObject): JsonObject {
  switch (accepted.as?.kind) {
    case undefined:
      return object;
    case "PartialObjectMetadata":
      return partial(scope, object, accepted.as.version);
    case "Table":
      return table(scope, accepted.as.version, [object], includeObject(scope), {
        resourceVersion: object.metadata.resourceVersion ?? "",
      });
    default:
      if (scope.type.custom) throw new StatusError(500, "", "content is not a list");
      throw notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(scope, scope.type.kind)})`,
      );
  }
}

function notAcceptable(message: string): StatusError {
  return new StatusError(406, "NotAcceptable", message);
}

/** The name of the Go type in messages of the real server. */
function goType(scope: Scope, kind: string): string {
  if (scope.type.custom) return kind.endsWith("List") ? "*unstructured.UnstructuredList" : "*unstructured.Unstructured";
  const name = scope.type.group.split(".")[0] || "core";
  return `*${name}.${kind}`;
}

function partial(scope: Scope, object: ApiObject, version: string): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: scope.type.custom ? inGoOrder(object.metadata) : internalMetadata(scope, object.metadata),
  };
}

/** Partial metadata is that of the internal form of an object, which has fields in place of some annotations. */
function internalMetadata({ type }: Scope, metadata: Metadata): Metadata {
  const { externalAnnotations = [] } = type.strategy;
  const { annotations = {}, ...rest } = metadata;
  if (!externalAnnotations.some((key) => Object.hasOwn(annotations, key))) return metadata;
  const others = Object.entries(annotations).filter(([key]) => !externalAnnotations.includes(key));
  return others.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(others) };
}

/** Reads the parameter of Tables that selects what rows contain. */
export function includeObject(scope: Scope): string {
  const include = scope.info.query.text("includeObject");
  if (["", "None", "Metadata", "Object"].includes(include)) return include;
  const detail = `includeObject: Invalid value: ${JSON.stringify(include)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: ${detail}`);
}

/**
 * Creates a Table.
 *
 * @param scope - the request
 * @param version - the version of the Table
 * @param objects - the objects of its rows
 * @param include - what rows contain of their objects
 * @param metadata - the metadata of the Table
 * @param withColumns - false for the later Tables of a watch
 * @returns the Table
 */
export function table(
  scope: Scope,
  version: string,
  objects: readonly ApiObject[],
  include: string,
  metadata: JsonObject,
  withColumns = true,
): JsonObject {
  const printer = scope.version.subresources.get(scope.info.subresource)?.printer ?? scope.version.printer;
  const now = scope.engine.now();
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: !withColumns ? null : printer.columns.map((column) => ({ ...column })),
    rows:
      objects.length === 0 && printer.rowsOfNone === null
        ? null
        : objects.map((object) => {
            const conditions = printer.conditions?.(object);
            return {
              cells: printer.cells(object, now, objects),
              ...(conditions === undefined ? {} : { conditions }),
              object: include === "None" ? null : include === "Object" ? object : partial(scope, object, version),
            };
          }),
  };
}

/**
 * Answers with a page of a list.
 *
 * @param scope - the request
 * @param accepted - how to write it
 * @param page - the page
 * @returns the response
 */
export async function listAnswer(scope: Scope, accepted: Accepted, page: Page): Promise<Answer> {
  const head = headOf(scope, accepted, page);
  const isText = accepted.encoding === "json" && !accepted.pretty;
  if (isText && accepted.as === undefined) {
    const items = await readAll(scope, page.entries, (entry) => readText(scope, entry, false));
    return textAnswer(listText(scope, head, items));
  }
  if (isText && accepted.as?.kind === "PartialObjectMetadataList") {
    const { kind, version } = accepted.as;
    const items = await readAll(scope, page.entries, async (entry) =>
      encodeJson(partial(scope, await readObject(scope, entry), version)),
    );
    const start = encodeJson({ kind, apiVersion: `meta.k8s.io/${version}`, metadata: head.metadata }).slice(0, -1);
    return textAnswer(`${start},"items":${items.length === 0 ? "null" : `[${items.join(",")}]`}}`);
  }
  const objects = await readAll(scope, page.entries, (entry) => readObject(scope, entry));
  return listDocumentAnswer(scope, accepted, head, objects);
}

function textAnswer(text: string): Answer {
  return { status: 200, headers: { "content-type": mediaTypes.json }, body: `${text}\n` };
}

function listText(scope: Scope, head: ListHead, items: readonly string[]): string {
  const list = `"items":[${items.join(",")}]`;
  if (!isSorted(scope)) return `${encodeJson({ ...head }).slice(0, -1)},${list}}`;
  const { apiVersion, ...rest } = head;
  return `{"apiVersion":${JSON.stringify(apiVersion)},${list},${encodeSorted(rest).slice(1)}`;
}

/** The fields of a list apart from its items. */
export interface ListHead {
  kind: string;
  apiVersion: string;
  metadata: JsonObject;
}

/** Returns the fields of a list with a page of objects. */
export function headOf(scope: Scope, accepted: Accepted, page: Page): ListHead {
  const metadata: JsonObject = {
    resourceVersion: String(page.revision),
    // Lists of custom resources always have the field.
    ...(page.continue === "" && (!scope.type.custom || accepted.as !== undefined) ? {} : { continue: page.continue }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
    // Tables lack the field.
    ...(page.shard === undefined || accepted.as?.kind === "Table" ? {} : { shardInfo: { selector: page.shard } }),
  };
  return { kind: scope.type.listKind, apiVersion: scope.apiVersion, metadata };
}

/** Answers with a list of objects that are no longer in the store, or differ from it. */
export function listDocumentAnswer(
  scope: Scope,
  accepted: Accepted,
  head: ListHead,
  objects: readonly ApiObject[],
): Answer {
  const version = accepted.as?.version ?? "v1";
  switch (accepted.as?.kind) {
    case undefined: {
      const items = scope.type.custom
        ? objects
        : objects.map(({ apiVersion: _apiVersion, kind: _kind, ...rest }) => rest as ApiObject);
      const list: JsonObject = { ...head, items: [...items] };
      return documentAnswer(
        200,
        isSorted(scope) ? (sortKeys(list) as JsonObject) : list,
        accepted,
        scope.version.codec.toProtobuf,
      );
    }
    case "PartialObjectMetadataList":
      return documentAnswer(
        200,
        {
          kind: "PartialObjectMetadataList",
          apiVersion: `meta.k8s.io/${version}`,
          metadata: head.metadata,
          // As in Go, where the list of the conversion begins as nil.
          items: objects.length === 0 ? null : objects.map((object) => partial(scope, object, version)),
        },
        accepted,
        scope.engine.metaToProtobuf,
      );
    case "Table":
      return documentAnswer(200, table(scope, version, objects, includeObject(scope), head.metadata), accepted);
    default:
      throw notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (${goType(scope, scope.type.listKind)})`,
      );
  }
}
