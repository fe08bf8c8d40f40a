import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { MarkerTarget, Registry } from "../markers/index.ts";
import { type Commented, type UnreadPlace, unreadMarkers } from "../source/comments.ts";

const targets: readonly MarkerTarget[] = ["field", "type", "package"];

const places: Readonly<Record<UnreadPlace, string>> = {
  block: "in a `/* */` comment",
  trailing: "behind what it is about",
  inside: "where no property follows",
};

/** Reports markers that stand where nobody reads them, as controller-gen doesn't either; only known ones are meant as such. */
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
      hint: ofMember ? "put it above the enum" : `write \`// ${text}\` in a line of its own above`,
    });
  }
}
