import type { JSONValue } from "../../schema/model/json-schema.ts";
import type { Finding } from "../model/finding.ts";
import type { Site } from "../model/site.ts";
import { valueProblems } from "../model/validate.ts";
import type { Matches } from "../model/validate-limits.ts";

/** Reports defaults with which the API server rejects the CRD, and examples that it wouldn't accept. */
export function values({ schema, parent }: Site, report: (finding: Finding) => void, matches: Matches): void {
  if (schema.default !== undefined) {
    for (const { path, message } of problemsOf(schema.default)) {
      report({
        id: "default-mismatch",
        message: `the default isn't valid for its field: ${place(path)}${message}`,
        hint: /^expected array, found string "\[/.test(message)
          ? "write a list in braces, as in `{a, b}`"
          : "change the default or the limits of the field",
        keywords: ["default"],
      });
    }
  }
  // Examples of the object's own metadata and type aren't the user's.
  if (schema.example !== undefined && parent) {
    for (const { path, message } of problemsOf(schema.example)) {
      report({
        id: "example-mismatch",
        message: `the example isn't valid for its field: ${place(path)}${message}`,
        hint: "use an example that the API server accepts",
        keywords: ["example"],
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
