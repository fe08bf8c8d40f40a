import type { JSONSchema } from "../../schema/json-schema.ts";
import type { Finding, KindLint } from "../finding.ts";
import { parseJsonPath, resolveJsonPath } from "../json-path.ts";
import { missingHint } from "./columns.ts";

/** How many the API server allows. */
const most = 8;

/** Selectable fields that the API server refuses. */
export const selectable: KindLint = ({ version }, report) => {
  const fields = version.selectableFields ?? [];
  const seen = new Set<string>();
  for (const { jsonPath } of fields) {
    const problem = seen.has(jsonPath)
      ? { message: `${jsonPath} is selectable already`, hint: "name each field once" }
      : pathProblem(jsonPath, version.schema.openAPIV3Schema);
    seen.add(jsonPath);
    if (problem) report(finding(problem, jsonPath));
  }
  if (seen.size > most) {
    const message = `a version has at most ${most} selectable fields, not ${seen.size}`;
    report(finding({ message, hint: "leave the least useful ones out" }, [...seen][most]!));
  }
};

interface Problem {
  readonly message: string;
  readonly hint: string;
}

function finding({ message, hint }: Problem, jsonPath: string): Finding {
  return {
    id: "selectable-field",
    message,
    hint,
    markers: ["kubebuilder:selectablefield"],
    says: { JSONPath: jsonPath },
    argument: "JSONPath",
  };
}

function pathProblem(path: string, schema: JSONSchema): Problem | undefined {
  const parsed = parseJsonPath(path);
  const hint = "write it as in `.spec.nodeName`";
  if ("problem" in parsed) return { message: `the path can't be read: ${parsed.problem}`, hint };
  const [first] = parsed.steps;
  if (parsed.steps.some((step) => step.kind !== "field")) {
    return { message: `${path} is no plain path: lists can't be selected by`, hint };
  }
  if (first?.kind === "field" && first.name === "metadata") {
    return { message: "metadata can't be selected by this way", hint: "metadata.name and .namespace always can" };
  }
  const found = resolveJsonPath(schema, parsed.steps);
  if (found.kind === "missing") return { message: `${path} leads nowhere: ${found.message}`, hint: missingHint(found) };
  if (found.kind === "unknown") return undefined;
  const { type = "any" } = found.schema;
  if (["string", "boolean", "integer"].includes(type)) return undefined;
  const message = `only strings, booleans and integers can be selected by, ${path} is of type ${type}`;
  return { message, hint: "name a field below it" };
}
