import { type Document, isMap, isNode, isSeq, type Node, Scalar, YAMLMap } from "yaml";
import { editDocuments } from "../../yaml/document.ts";
import type { JSONSchema } from "../schema/model/json-schema.ts";
import { blockText, flowText } from "./block.ts";
import { arrangeComments, restoreLineComments, takeLineComment } from "./comments.ts";
import { orderedSchema } from "./ordered.ts";

/** A CRD in a file. */
export interface CrdInFile {
  readonly apiVersion: string;
  readonly group: string;
  readonly kind: string;
  /** The names of the versions. */
  readonly versions: readonly string[];
  readonly document: Document;
}

/** A file of manifests. */
export interface ManifestFile {
  readonly text: string;
  readonly crds: readonly CrdInFile[];
  readonly documents: readonly Document[];
}

/**
 * Parses YAML with all scalars as strings, so that they can be written unchanged. Returns a problem for invalid YAML.
 */
export function readManifest(text: string): ManifestFile | { readonly problem: string } {
  const documents = editDocuments(text, {
    schema: "failsafe",
    customTags: ["null"],
    keepSourceTokens: true,
    logLevel: "silent",
  });
  const [error] = documents.flatMap((document) => document.errors);
  if (error) return { problem: error.message.split("\n", 1)[0]?.replace(/:$/, "") ?? "" };
  return { text, crds: documents.flatMap(readCrd), documents };
}

function readCrd(document: Document): CrdInFile[] {
  const text = (...path: string[]) => {
    const value = document.contents === null ? undefined : document.getIn(path);
    return typeof value === "string" ? value : "";
  };
  if (!isMap(document.contents) || text("kind") !== "CustomResourceDefinition" || text("apiVersion") === "") return [];
  const list = document.getIn(["spec", "versions"]);
  const versions = isSeq(list) ? list.items.map((item) => (isMap(item) ? String(item.get("name") ?? "") : "")) : [];
  const [group, kind] = [text("spec", "group"), text("spec", "names", "kind")];
  return [{ apiVersion: text("apiVersion"), group, kind, versions, document }];
}

/** Returns the text of a file with new schemas, by CRD and version. Modifies the file. */
export function writeManifest(
  { text, documents }: ManifestFile,
  schemas: ReadonlyMap<Document, ReadonlyMap<string, JSONSchema>>,
): string {
  return documents.map((document) => writeDocument(document, text, schemas.get(document))).join("---\n");
}

function writeDocument(
  document: Document,
  source: string,
  schemas: ReadonlyMap<string, JSONSchema> | undefined,
): string {
  arrangeComments(document, source);
  const placed = schemas ? placeSchemas(document, schemas) : [];
  const text = document.toString({
    indent: 2,
    indentSeq: true,
    lineWidth: 0,
    minContentWidth: 0,
    flowCollectionPadding: false,
  });
  const schemaOf = (index: string) => orderedSchema(placed[Number(index)] as JSONSchema);
  return restoreLineComments(text)
    .replace(SCHEMA_LINE, (_, pad: string, key: string, index: string, comment = "") => {
      // After a dash the key is two columns further to the right.
      const indent = pad.length + (/^(?:- )+/.exec(key)?.[0].length ?? 0);
      const block = blockText(schemaOf(index), indent + 2);
      return `${pad}${key}:${block.startsWith("\n") ? comment + block : block + comment}`;
    })
    .replace(SCHEMA_IN_FLOW, (_, index: string) => flowText(schemaOf(index)));
}

const MARK = "kubewright-schema-";
const SCHEMA_IN_FLOW = new RegExp(`${MARK}(\\d+)(?=[,}])`, "g");
const SCHEMA_LINE = new RegExp(`^( *)(?! )(.*): ${MARK}(\\d+)( #.*)?$`, "gm");

/** Inserts a placeholder for each schema, and removes the schemas of versions without a type. Returns the schemas by placeholder. */
function placeSchemas(document: Document, schemas: ReadonlyMap<string, JSONSchema>): JSONSchema[] {
  document.deleteIn(["spec", "validation"]);
  const versions = document.getIn(["spec", "versions"]);
  const placed: JSONSchema[] = [];
  for (const version of isSeq(versions) ? versions.items : []) {
    if (!isMap(version)) continue;
    const schema = schemas.get(String(version.get("name") ?? ""));
    if (schema === undefined) {
      version.delete("schema");
      continue;
    }
    const mark = new Scalar(`${MARK}${placed.length}`);
    placed.push(schema);
    const holder = version.get("schema", true);
    if (isMap(holder)) setValue(holder, "openAPIV3Schema", mark);
    else setValue(version, "schema", mapOf("openAPIV3Schema", mark));
  }
  return placed;
}

function setValue(map: YAMLMap, key: string, value: Node): void {
  const before = map.get(key, true);
  const [line] = isNode(before) ? takeLineComment(before) : [];
  if (line !== undefined) value.comment = line;
  if (map.has(key)) map.set(key, value);
  else map.add({ key: quoted(key), value });
}

function mapOf(key: string, value: Node): YAMLMap {
  const map = new YAMLMap();
  map.add({ key: quoted(key), value });
  return map;
}

function quoted(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = "QUOTE_DOUBLE";
  return scalar;
}
