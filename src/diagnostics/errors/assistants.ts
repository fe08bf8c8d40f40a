import type { Sentences } from "../definitions/entry.ts";

/** Problems of calls of `scaffold mcp`. */
export const assistantErrors = {
  "unknown-name": [
    "`explain` was called with a name that isn't a marker, a diagnostic or an error.",
    "Use the suggestion, or find the name with `search_docs`.",
  ],
  "generate-failed": ["The types have errors, so no CRD is generated.", "Call `generate_check` for the diagnostics."],
  "needs-confirmation": [
    "The plan deletes or overwrites files. The person didn't agree, or the client can't ask the person.",
    "Run the command of the error by hand.",
  ],
  "unknown-plan": [
    "The plan doesn't exist, was applied before, or is older than ten minutes.",
    "Call `scaffold` again, and apply the new plan.",
  ],
  "plan-outdated": [
    "A file of the plan has changed since the plan was computed. Nothing was written.",
    "Call `scaffold` again, and apply the new plan.",
  ],
  "cluster-not-allowed": [
    "The session, or the call of `plan`, uses a cluster of your kubeconfig that `--allow-cluster` doesn't list.",
    "Add the name of the context: `scaffold mcp --allow-cluster NAME`.",
  ],
  "hidden-value": [
    "The document for `dev_apply` contains `(hidden)`, which replaces values of Secrets in results.",
    "Remove the field, so that it keeps its value, or set a new value.",
  ],
  "unknown-readiness": [
    "`dev_wait` waits until an object is ready, but its status has no conditions from which this follows.",
    "Use `settled` for `until`, or report conditions in the status of your kind.",
  ],
} as const satisfies Sentences;
