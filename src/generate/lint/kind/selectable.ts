import type { JSONSchema } from "../../schema/model/json-schema.ts";
import type { Finding, KindLint } from "../model/finding.ts";
import { parseJsonPath, resolveJsonPath } from "../model/json-path.ts";
import { missingHint } from "./columns.ts";

/** The API server's limit per version. */
const most = 8;

/** Reports selectable fields that the API server rejects. */
export const selectable: KindLint = ({ version }, report) => {
  const fields = version.selectableFields ?? [];
  const seen = new Set<string>();
  for (const { jsonPath } of fields) {
    const problem = seen.has(jsonPath)
      ? { message: `${jsonPath} is already selectable`, hint: "remove one of the markers" }
      : pathProblem(jsonPath, version.schema.openAPIV3Schema);
    seen.add(jsonPath);
    if (problem) report(finding(problem, jsonPath));
  }
  if (seen.size > most) {
    const message = `too many selectable fields: ${seen.size}, the maximum per version is ${most}`;
    report(finding({ message, hint: "remove the least useful ones" }, [...seen][most]!));
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
    matching: { JSONPath: jsonPath },
    argument: "JSONPath",
  };
}

function pathProblem(path: string, schema: JSONSchema): Problem | undefined {
  const parsed = parseJsonPath(path);
  const hint = "use a form such as `.spec.nodeName`";
  if ("problem" in parsed) return { message: `invalid path: ${parsed.problem}`, hint };
  const [first] = parsed.steps;
  if (parsed.steps.some((step) => step.kind !== "field")) {
    return { message: `${path} must be a plain path to a field: elements of lists aren't selectable`, hint };
  }
  if (first?.kind === "field" && first.name === "metadata") {
    return {
      message: "metadata fields can't be made selectable",
      hint: "metadata.name and metadata.namespace always are",
    };
  }
  const resolved = resolveJsonPath(schema, parsed.steps);
  if (resolved.kind === "missing")
    return { message: `${path} doesn't exist: ${resolved.message}`, hint: missingHint(resolved) };
  if (resolved.kind === "unknown") return undefined;
  const { type = "any" } = resolved.schema;
  if (["string", "boolean", "integer"].includes(type)) return undefined;
  const message = `only strings, booleans and integers are selectable, but ${path} has type ${type}`;
  return { message, hint: "use a field inside it" };
}
