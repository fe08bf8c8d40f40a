import type { JSONValue } from "../../schema/json-schema.ts";
import type { Finding } from "../finding.ts";
import type { Site } from "../site.ts";
import { valueProblems } from "../validate.ts";
import type { Matches } from "../validate-limits.ts";

/** Defaults that the API server would refuse together with the CRD, and examples that nobody could apply. */
export function values({ schema, parent }: Site, report: (finding: Finding) => void, matches: Matches): void {
  if (schema.default !== undefined) {
    for (const { path, message } of problemsOf(schema.default)) {
      report({
        id: "default-mismatch",
        message: `the default does not fit its own field: ${place(path)}${message}`,
        hint: "the API server refuses a CRD with such a default: change it, or the limits of the field",
        markers: ["kubebuilder:default", "default"],
      });
    }
  }
  // Examples below the object's own metadata and type are not the user's.
  if (schema.example !== undefined && parent) {
    for (const { path, message } of problemsOf(schema.example)) {
      report({
        id: "example-mismatch",
        message: `the example does not fit its own field: ${place(path)}${message}`,
        hint: "give an example that the API server would take",
        markers: ["kubebuilder:example"],
      });
    }
  }

  function problemsOf(value: JSONValue) {
    return valueProblems(value, schema, "wrong", matches);
  }
}

function place(path: string): string {
  return path === "" ? "" : `at ${path}, `;
}
