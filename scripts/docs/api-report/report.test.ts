import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { apiReport, reported, reportPath } from "./report.ts";

it.each(reported)("the report of %s is up to date", (directory) => {
  const report = apiReport(directory);
  expect(report).toContain("## `@kubewright/");
  expect(readFileSync(reportPath(directory), "utf8"), "run `npm run docs:reference`").toBe(report);
});

it("the report contains each entry point, with declarations of functions, types and classes", () => {
  const report = apiReport("packages/cel");
  expect(report.match(/^## .*$/gm)).toEqual([
    "## `@kubewright/cel`",
    ...["crd", "duration", "json", "language", "quantity", "rules", "schema", "validation", "yaml"].map(
      (entry) => `## \`@kubewright/cel/${entry}\``,
    ),
  ]);
  expect(report).toContain(
    "export declare function createValidator(definition: object, options?: ValidatorOptions): Validator;",
  );
  expect(report).toContain("export interface ValidationError {\n    field: string;");
  expect(report).toContain("export declare class InvalidDefinitionError extends Error {");
});
