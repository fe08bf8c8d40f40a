import { isNode, isPair, LineCounter, visit } from "yaml";
import { editDocument } from "../../yaml/document.ts";

/** Splits a path such as `.spec.zones[0]`. */
export function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\.([^.[\]]+)|\[([^[\]]*)\]/g)].map(([, name, index = ""]) =>
    name !== undefined ? name : /^\d+$/.test(index) ? Number(index) : index,
  );
}

/** Returns the line of a value in a YAML text, from 1: that of its key, or of the nearest value around it. */
export function lineOf(text: string, steps: readonly (string | number)[]): number {
  const lineCounter = new LineCounter();
  const document = editDocument(text, { lineCounter });
  for (let length = steps.length; length > 0; length--) {
    const value = document.getIn(steps.slice(0, length), true);
    if (!isNode(value)) continue;
    let at = value.range?.[0] ?? 0;
    visit(document, {
      Pair(_, pair) {
        if (isPair(pair) && pair.value === value && isNode(pair.key)) at = pair.key.range?.[0] ?? at;
      },
    });
    return lineCounter.linePos(at).line;
  }
  return lineCounter.linePos(isNode(document.contents) ? (document.contents.range?.[0] ?? 0) : 0).line;
}
