import type { TypeNode } from "../packages/nodes.ts";
import { type JSONSchema, mapChildren } from "../schema/model/json-schema.ts";
import type { Schemata } from "../schema/schemata.ts";
import { truncate } from "../source/description.ts";

/** Builds the schema of a version of a CRD. Descriptions have at most `maxDescLen` bytes; 0 drops them all. */
export function versionSchema(schemata: Schemata, type: TypeNode, maxDescLen: number | undefined): JSONSchema {
  return withPlainMetadata(shorten(schemata.complete(type), maxDescLen));
}

/** Replaces the schema of `metadata` with a plain object, as the API server requires. */
function withPlainMetadata(schema: JSONSchema): JSONSchema {
  if (!schema.properties?.metadata) return schema;
  return { ...schema, properties: { ...schema.properties, metadata: { type: "object" } } };
}

function shorten(schema: JSONSchema, limit: number | undefined): JSONSchema {
  if (limit === undefined || limit < 0) return schema;
  const visit = (node: JSONSchema): JSONSchema => {
    const changed = { ...mapChildren(node, visit) };
    const text = truncate(changed.description ?? "", limit);
    if (text === "") delete changed.description;
    else changed.description = text;
    return changed;
  };
  return visit(schema);
}
