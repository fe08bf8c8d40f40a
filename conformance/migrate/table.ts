import type { Row } from "./try-project.ts";

const columns = [
  "migrate",
  "CRDs",
  "role",
  "webhooks",
  "generate",
  "kustomize",
  "tsc",
  "lint",
  "test",
  "run",
  "by hand",
];

/** Returns the results as a table in Markdown. */
export function tableOf(rows: readonly Pick<Row, "name" | "kinds" | "cells" | "isGood">[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["Project", "Kinds", ...columns]),
    line(["Project", "Kinds", ...columns].map(() => "---")),
    ...rows.map(({ name, kinds, cells }) =>
      line([name, String(kinds), ...columns.map((column) => cells[column] ?? "")]),
    ),
    `${rows.filter(({ isGood }) => isGood).length} of ${rows.length} projects are the same and pass.`,
  ].join("\n");
}
