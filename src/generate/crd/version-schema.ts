import type { CrdVersion } from "../../kubernetes/custom-resource-definition.ts";
import type { TypeNode } from "../packages/nodes.ts";
import { type JSONSchema, mapChildren } from "../schema/model/json-schema.ts";
import type { Schemata } from "../schema/schemata.ts";
import { truncate } from "../source/description.ts";

/** Builds the schema of a version of a CRD. */
export function versionSchema(schemata: Schemata, type: TypeNode): JSONSchema {
  return withPlainMetadata(schemata.complete(type));
}

/** Returns a version whose descriptions have at most `maxDescLen` bytes; 0 drops them all. */
export function shortened(version: CrdVersion, maxDescLen: number | undefined): CrdVersion {
  if (maxDescLen === undefined || maxDescLen < 0) return version;
  return { ...version, schema: { openAPIV3Schema: shortenedSchema(version.schema.openAPIV3Schema, maxDescLen) } };
}

/** Replaces the schema of `metadata` with a plain object, as the API server requires. */
function withPlainMetadata(schema: JSONSchema): JSONSchema {
  if (!schema.properties?.metadata) return schema;
  return { ...schema, properties: { ...schema.properties, metadata: { type: "object" } } };
}

/** Returns a schema whose descriptions have at most `limit` bytes; without a limit, the schema itself. */
export function shortenedSchema(schema: JSONSchema, limit: number | undefined): JSONSchema {
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
