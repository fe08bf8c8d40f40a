import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { encodeJson, type JsonObject, sortKeys } from "@kubewright/cel/json";
import { mediaTypes } from "../model/encoding.ts";
import type { StreamChunk } from "../model/request.ts";
import type { ApiObject, ServedVersion } from "../model/resource.ts";
import { StatusError } from "../model/status.ts";
import type { Entry } from "../model/stored-state.ts";
import type { Accepted } from "../request/negotiation.ts";
import { readObject, readText } from "./read.ts";
import { includeObject, table, transform } from "./respond.ts";
import type { Scope } from "./scope.ts";

/** The type of an event. */
export type EventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

/** Writes the events of a watch in one encoding. */
export interface EventWriter {
  /** The media type of the stream. */
  mediaType: string;
  /** Writes an event about a stored object; a promise only if the object must be converted. */
  entry(type: EventType, entry: Entry): StreamChunk | Promise<StreamChunk>;
  /** Writes a bookmark with the metadata. */
  bookmark(metadata: ApiObject["metadata"]): StreamChunk;
  /** Writes an error. */
  error(status: JsonObject): StreamChunk;
}

/**
 * Chooses how a watch writes its events.
 *
 * @param scope - the request
 * @param accepted - the choice for the response
 * @returns the writer
 * @throws StatusError (406) for YAML, which has no form for streams
 */
export function eventWriter(scope: Scope, accepted: Accepted): EventWriter {
  switch (accepted.encoding) {
    case "json":
      return jsonWriter(scope, accepted);
    case "protobuf":
      return protobufWriter(scope, accepted);
    default:
      throw new StatusError(
        406,
        "NotAcceptable",
        `only the following media types are accepted: ${mediaTypes.json};stream=watch, ${mediaTypes.protobuf};stream=watch`,
      );
  }
}

/** One line of JSON per event. */
function jsonWriter(scope: Scope, accepted: Accepted): EventWriter {
  const line = (type: EventType, object: string): string => `{"type":"${type}","object":${object}}\n`;
  const document = documents(scope, accepted);
  return {
    mediaType: mediaTypes.json,
    entry(type, entry) {
      if (accepted.as === undefined) {
        const text = readText(scope, entry, true);
        return typeof text === "string" ? line(type, text) : text.then((object) => line(type, object));
      }
      return readObject(scope, entry).then((object) => line(type, encodeJson(document(object))));
    },
    bookmark: (metadata) => line("BOOKMARK", encodeJson(document(bookmarkObject(scope, metadata), true))),
    error: (status) => line("ERROR", encodeJson(status)),
  };
}

/** One message per event, after its length in four bytes. */
function protobufWriter(scope: Scope, accepted: Accepted): EventWriter {
  const { engine, version } = scope;
  const document = documents(scope, accepted);
  const toProtobuf = accepted.as === undefined ? version.codec.toProtobuf : undefined;
  const encode = toProtobuf ?? engine.metaToProtobuf;
  return {
    mediaType: `${mediaTypes.protobuf};stream=watch`,
    entry: (type, entry) => readObject(scope, entry).then((object) => frame(type, encode(document(object)))),
    bookmark: (metadata) => frame("BOOKMARK", encode(document(bookmarkObject(scope, metadata), true))),
    error: (status) => frame("ERROR", engine.metaToProtobuf(status)),
  };
}

/** Writes a WatchEvent of meta/v1 with its length. */
function frame(type: EventType, object: Uint8Array): Uint8Array {
  const event = new BinaryWriter();
  event.tag(1, WireType.LengthDelimited).string(type);
  event.tag(2, WireType.LengthDelimited).fork();
  event.tag(1, WireType.LengthDelimited).bytes(object);
  const message = event.join().finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return Buffer.concat([length, message]);
}

/** Returns the function that converts objects and bookmarks to the accepted form. Only the first Table has columns. */
function documents(scope: Scope, accepted: Accepted): (object: ApiObject, isBookmark?: boolean) => JsonObject {
  if (accepted.as?.kind !== "Table") return (object) => transform(scope, accepted, object);
  const { version } = accepted.as;
  const include = includeObject(scope);
  let isFirst = true;
  return (object, isBookmark = false) => {
    const metadata = { resourceVersion: object.metadata.resourceVersion ?? "" };
    // The annotation that ends the initial events is always sent.
    const included = isBookmark && object.metadata.annotations !== undefined && include === "None" ? "" : include;
    const document = table(scope, version, [object], included, metadata, isFirst);
    isFirst = false;
    return document;
  };
}

function bookmarkObject({ type, apiVersion, version }: Scope, metadata: ApiObject["metadata"]): ApiObject {
  const { kind } = type;
  if (type.custom) return sortKeys({ kind, apiVersion, metadata }) as ApiObject;
  let empty = emptyObjects.get(version);
  if (empty === undefined) {
    empty = { kind, apiVersion, ...version.codec.stored?.({ kind, apiVersion, metadata: {} } as ApiObject) };
    emptyObjects.set(version, empty);
  }
  return { ...empty, metadata };
}

/** The objects of bookmarks: only the fields that objects of the kind always have, which are empty. */
const emptyObjects = new WeakMap<ServedVersion, JsonObject>();
