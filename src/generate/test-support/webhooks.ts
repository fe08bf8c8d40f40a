import { readFileSync } from "node:fs";
import { accessEntries } from "../../diagnostics/definitions/lints.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { collectMarkers, markerRegistry } from "../markers/index.ts";
import { renderFile } from "../output/file.ts";
import { webhookConfigurations } from "../webhook/configurations.ts";

/** Markers of one or more packages, and the expected result. */
export interface WebhookCase {
  readonly name: string;
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** The output of controller-gen. */
  readonly yaml?: string;
  readonly refused?: true;
}

/** The cases of testdata/webhook. */
export const webhookCases: readonly WebhookCase[] = readFileSync(
  new URL("../../../testdata/webhook/cases.jsonl", import.meta.url),
  "utf8",
)
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as WebhookCase);

/** Generates the configurations of some markers. */
export function webhooks(packages: WebhookCase["packages"]) {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const sets = Object.keys(packages)
    .sort()
    .map((name) => {
      const lines = packages[name]!.map((text, index) => ({ text, file: `/${name}.ts`, line: index + 1, column: 4 }));
      return collectMarkers(lines, "package", markerRegistry, report);
    });
  const documents = webhookConfigurations(sets, report);
  const rendered = documents.length === 0 ? undefined : renderFile("webhook", "manifests.yaml", documents);
  return {
    yaml: rendered === undefined ? "" : "file" in rendered ? rendered.file.text : rendered.problem,
    errors: diagnostics.filter(({ id, severity }) => severity === "error" && !(id in accessEntries)),
    findings: diagnostics.filter(({ id }) => id in accessEntries),
  };
}
