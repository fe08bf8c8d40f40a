import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { MarkerTarget, Registry } from "../markers/index.ts";
import { type Commented, type UnreadPlace, unreadMarkers } from "../source/comments.ts";

const targets: readonly MarkerTarget[] = ["field", "type", "package"];

const places: Readonly<Record<UnreadPlace, string>> = {
  trailing: "after the declaration",
  inside: "without a property below it",
};

/** Reports known markers at positions where they have no effect, as in controller-gen. */
export function reportUnread(
  node: Commented & { readonly kind?: string },
  registry: Registry,
  report: (diagnostic: Diagnostic) => void,
): void {
  for (const { line, place } of unreadMarkers(node)) {
    const { text, file, line: row, column } = line;
    if (!targets.some((target) => registry.lookup(text, target))) continue;
    const ofMember = place === "inside" && node.kind === "enum";
    report({
      id: "unread-marker",
      severity: "error",
      message: `a marker has no effect ${ofMember ? "on a member of an enum" : places[place]}`,
      file,
      line: row,
      column,
      hint: ofMember ? "move it above the enum" : `move it to its own line above: \`// ${text}\``,
    });
  }
}
