import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { MarkerTarget, Registry } from "../markers/index.ts";
import { unreadMarkers } from "../source/comments.ts";
import type { RawComment } from "../source/model.ts";

const targets: readonly MarkerTarget[] = ["field", "type", "package"];

/** Warns of markers that stand where nobody reads them, as controller-gen doesn't either; only known ones are meant as such. */
export function reportUnread(
  node: { readonly leading: readonly RawComment[]; readonly trailing?: readonly RawComment[] },
  registry: Registry,
  report: (diagnostic: Diagnostic) => void,
): void {
  for (const { line, place } of unreadMarkers(node)) {
    const { text, file, line: row, column } = line;
    if (!targets.some((target) => registry.lookup(text, target))) continue;
    const where = place === "block" ? "in a `/* */` comment" : "behind what it is about";
    report({
      id: "unread-marker",
      severity: "warning",
      message: `a marker has no effect ${where}`,
      file,
      line: row,
      column,
      hint: `write \`// ${text}\` in a line of its own above`,
    });
  }
}
