import { similarHint } from "../../../diagnostics/did-you-mean.ts";
import type { PrinterColumn } from "../../../kubernetes/custom-resource-definition.ts";
import type { JSONSchema } from "../../schema/model/json-schema.ts";
import type { Finding, KindLint } from "../model/finding.ts";
import { parseJsonPath, type Resolution, resolveJsonPath } from "../model/json-path.ts";

const markers = ["kubebuilder:printcolumn"] as const;
const types = ["boolean", "date", "integer", "number", "string"];
const formats = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];

/** Reports printer columns that the API server rejects, and columns that stay empty. */
export const columns: KindLint = ({ version }, report) => {
  for (const column of version.additionalPrinterColumns ?? []) {
    const blame = (finding: Omit<Finding, "markers" | "matching">) =>
      report({ ...finding, markers, matching: { name: column.name, JSONPath: column.jsonPath } });
    checkType(column, blame);
    checkPath(column, version.schema.openAPIV3Schema, blame);
  }
};

type Blame = (finding: Omit<Finding, "markers" | "matching">) => void;

function checkType({ type, format }: PrinterColumn, blame: Blame): void {
  const id = "bad-column";
  if (!types.includes(type)) {
    const hint = similarHint(type, types, `use one of ${types.join(", ")}`);
    blame({ id, message: `unknown column type "${type}"`, hint, argument: "type" });
  }
  if (format !== undefined && !formats.includes(format)) {
    const hint = `use one of ${formats.join(", ")}`;
    blame({ id, message: `unknown column format "${format}"`, hint, argument: "format" });
  }
}

function checkPath({ type, jsonPath }: PrinterColumn, schema: JSONSchema, blame: Blame): void {
  if (!jsonPath.startsWith(".")) {
    const message = `the API server rejects the column path ${JSON.stringify(jsonPath)}: it must begin with a dot`;
    blame({ id: "bad-column", message, hint: "use a form such as `.status.phase`", argument: "JSONPath" });
    return;
  }
  const parsed = parseJsonPath(jsonPath);
  if ("problem" in parsed) {
    const hint = "use a form such as `.status.phase`";
    blame({
      id: "column-path",
      message: `invalid column path: ${parsed.problem}`,
      hint,
      argument: "JSONPath",
    });
    return;
  }
  const resolved = resolveJsonPath(schema, parsed.steps);
  if (resolved.kind === "missing") {
    const message = `the column stays empty: ${jsonPath} doesn't exist: ${resolved.message}`;
    blame({ id: "column-path", message, hint: missingHint(resolved), argument: "JSONPath" });
  }
  if (resolved.kind !== "schema" || fits(type, resolved.schema)) return;
  blame({
    id: "column-type",
    message: `the column stays empty: its type is ${type}, but ${jsonPath} has type ${resolved.schema.type}`,
    hint:
      resolved.schema.type === "object" || resolved.schema.type === "array"
        ? "use type=string"
        : `use type=${resolved.schema.type}`,
    argument: "type",
  });
}

/** Suggests the nearest field, or lists all fields. */
export function missingHint({ name, candidates }: Resolution & { kind: "missing" }): string {
  const all = candidates.length > 0 ? `available: ${candidates.slice(0, 12).join(", ")}` : "use a field of the type";
  return similarHint(name, candidates, all);
}

/** Returns whether kubectl can show a value in a column of this type. Type string accepts every value. */
function fits(type: string, { type: actual, ...schema }: JSONSchema): boolean {
  if (actual === undefined || schema["x-kubernetes-int-or-string"]) return true;
  if (type === "integer" || type === "number") return actual === "integer" || actual === "number";
  if (type === "boolean") return actual === "boolean";
  return type !== "date" || actual === "string";
}
