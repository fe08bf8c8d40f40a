import { ruleProblems } from "../../generate/lint/cel/object-rules.ts";
import { valueProblems } from "../../generate/lint/model/validate.ts";
import type { JSONSchema, JSONValue } from "../../kubernetes/json-schema.ts";
import { GoPatterns } from "../../regex/go-patterns.ts";
import type { SampleProblems } from "../../scaffold/from-crd/sample-rules.ts";

/** Properties whose schemas are the same for all kinds. */
const inherited = new Set(["apiVersion", "kind", "metadata"]);

/** Returns the checks of samples, which compile the patterns and rules of the schemas once. */
export function sampleProblems(): SampleProblems {
  const patterns = new GoPatterns();
  const ownOf = new WeakMap<JSONSchema, JSONSchema>();
  return {
    ofSchema(object, schema) {
      const own = Object.entries(object).filter(([name]) => !inherited.has(name));
      const required = schema.required?.filter((name) => !inherited.has(name)) ?? [];
      const rest = ownOf.get(schema) ?? { ...schema, required };
      ownOf.set(schema, rest);
      return valueProblems(Object.fromEntries(own) as Record<string, JSONValue>, rest, "wrong", (pattern, text) =>
        patterns.test(pattern, text),
      );
    },
    ofRules: (object, schema) => ruleProblems(object as Record<string, JSONValue>, schema),
  };
}
