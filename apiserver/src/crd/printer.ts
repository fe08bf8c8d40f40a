import { isObject, type Json, type JsonObject } from "../json/json.ts";
import type { ApiObject, Column, TablePrinter } from "../registry/resource.ts";
import { humanDuration } from "../table/duration.ts";
import { evaluateJsonPath } from "../table/jsonpath.ts";

const nameColumn: Column = {
  name: "Name",
  type: "string",
  format: "name",
  description:
    "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
  priority: 0,
};

const ageColumn = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
  description:
    "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
};

interface DefinedColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
}

/**
 * Creates the printer of a version of a custom resource.
 *
 * @param version - the version in the definition
 * @returns the printer: the name and the columns of the version, or its age
 */
export function customPrinter(version: JsonObject): TablePrinter {
  const defined = (version.additionalPrinterColumns ?? []) as unknown as DefinedColumn[];
  const columns: DefinedColumn[] = defined.length === 0 ? [ageColumn] : defined;
  return {
    columns: [
      nameColumn,
      ...columns.map(({ name, type, format = "", description, priority = 0, jsonPath }) => ({
        name,
        type,
        format,
        description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
        priority,
      })),
    ],
    cells: (object, now) => [object.metadata.name ?? "", ...columns.map((column) => cell(object, column, now))],
  };
}

function cell(object: ApiObject, { type, jsonPath }: DefinedColumn, now: number): Json {
  const results = evaluateJsonPath(jsonPath, object);
  const value = results[0];
  if (results.length === 0 || value === null || value === undefined) return type === "date" ? "<unknown>" : null;
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date": {
      const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
      return Number.isNaN(time) ? "<invalid>" : humanDuration(now - time);
    }
    default:
      return typeof value === "string"
        ? value
        : isObject(value) || Array.isArray(value)
          ? JSON.stringify(value)
          : String(value);
  }
}
