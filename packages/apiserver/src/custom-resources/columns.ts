import { textOf } from "@kubewright/cel/crd";
import { encodeSorted, goNumber, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { parseTime } from "@kubewright/cel/validation";
import { humanDuration } from "../table/duration.ts";
import { compileJsonPath, type JsonPath } from "../table/jsonpath.ts";

/** A column in the header of a Table. */
export interface TableColumn {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}

/** The columns of a version of a custom resource. */
export interface CustomColumns {
  columns: TableColumn[];
  /** Returns the cells of an object; `now` is in milliseconds since 1970. */
  cells: (object: JsonObject, now: number) => Json[];
}

const nameText =
  "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
const ageText =
  "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

const age = { name: "Age", type: "date", description: ageText, jsonPath: ".metadata.creationTimestamp" };

/**
 * Compiles the columns of a version. Without columns of its own, it has the name and the age.
 *
 * @param version - the version of the definition
 * @returns the columns
 */
export function customColumns(version: JsonObject): CustomColumns {
  const own = Array.isArray(version.additionalPrinterColumns) ? version.additionalPrinterColumns.filter(isObject) : [];
  const columns: TableColumn[] = [{ name: "Name", type: "string", format: "name", description: nameText, priority: 0 }];
  const printers: ((object: JsonObject, now: number) => Json)[] = [];
  for (const column of own.length > 0 ? own : [age as JsonObject]) {
    const path = textOf(column.jsonPath);
    let compiled: JsonPath;
    try {
      compiled = compileJsonPath(path);
    } catch {
      // A column that can't be read ends the list, as in the real server.
      break;
    }
    const type = textOf(column.type);
    const described = textOf(column.description);
    columns.push({
      name: textOf(column.name),
      type,
      format: textOf(column.format),
      description: described === "" ? `Custom resource definition column (in JSONPath format): ${path}` : described,
      priority: typeof column.priority === "number" ? column.priority : 0,
    });
    printers.push((object, now) => {
      const value = compiled(object)[0];
      return value === undefined ? null : cellOf(type, value, now);
    });
  }
  return {
    columns,
    cells: (object, now) => {
      const metadata = isObject(object.metadata) ? object.metadata : {};
      return [textOf(metadata.name), ...printers.map((print) => print(object, now))];
    },
  };
}

/** The columns of the Scale of a custom resource. */
export const scaleColumns: CustomColumns = customColumns({
  additionalPrinterColumns: [
    { name: "Desired", type: "integer", description: "Number of desired replicas", jsonPath: ".spec.replicas" },
    { name: "Available", type: "integer", description: "Number of actual replicas", jsonPath: ".status.replicas" },
    age,
  ],
});

function cellOf(type: string, value: Json, now: number): Json {
  const number = typeof value === "number" || typeof value === "bigint";
  switch (type) {
    case "string":
      return printed(value);
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : number ? value : null;
    case "number":
      return number ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, now) : null;
    default:
      return null;
  }
}

function printed(value: Json): string {
  if (value === null) return "<no value>";
  if (typeof value === "object") return encodeSorted(value);
  return typeof value === "number" ? goNumber(value) : String(value);
}

function ageOf(text: string, now: number): string {
  if (text === "" || text === "null") return "<unknown>";
  try {
    return humanDuration(now - parseTime(text));
  } catch {
    return "<invalid>";
  }
}
