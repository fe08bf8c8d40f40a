import { operationsTo, type Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { hasConflict } from "../merge/text.ts";
import { type Format, isFormatted } from "./format.ts";

/**
 * Formats the code and JSON files that a plan writes. A file whose formatted text is already on disk isn't written. Files with
 * conflict markers, which no formatter can read, stay as they are.
 */
export async function formatPlan<P extends Plan>(plan: P, tree: Tree, format: Format): Promise<P> {
  const files = plan.operations.flatMap((operation) => {
    if (operation.op === "delete" || !isFormatted(operation.path)) return [];
    const text = typeof operation.content === "string" ? operation.content : String(Buffer.from(operation.content));
    return hasConflict(text) ? [] : [{ path: operation.path, text }];
  });
  if (files.length === 0) return plan;
  const texts = await format(files);
  const formatted = new Map(files.map(({ path }, index) => [path, texts[index] ?? ""]));
  const operations = plan.operations.flatMap((operation) => {
    const content = formatted.get(operation.path);
    return content === undefined ? [operation] : operationsTo(tree, new Map([[operation.path, content]]));
  });
  return { ...plan, operations };
}
