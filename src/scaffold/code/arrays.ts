import type { ArrayExpression, Node } from "oxc-parser";
import { ProblemError } from "../../project/problem-error.ts";
import type { Edit } from "./edits.ts";
import type { Code } from "./parse.ts";
import { constantNamed } from "./search.ts";

/**
 * Returns the edits that append elements to an array in a property of a constant: `const name = { property: [a, b] }`.
 *
 * @throws ProblemError if the file has no such array; the hint shows the elements to add by hand
 */
export function appendElements(
  code: Code,
  where: { readonly constant: string; readonly property: string },
  elements: readonly string[],
): Edit[] {
  const array = arrayOf(constantNamed(code, where.constant), where.property);
  if (array === undefined) {
    throw new ProblemError(
      "missing-array",
      `${code.path} has no constant ${where.constant} with a list ${where.property}; nothing was changed`,
      `add one and run the command again, which then adds these elements to the list:\n${elements.map((element) => `    ${element},`).join("\n")}`,
    );
  }
  const last = array.elements.at(-1);
  const inner = last?.end ?? array.start + 1;
  return [{ start: inner, end: inner, text: `${last ? ", " : ""}${elements.join(", ")}` }];
}

/** Returns the edits that remove elements by their text. The remaining list is formatted on one line. */
export function removeElements(
  code: Code,
  where: { readonly constant: string; readonly property: string },
  elements: readonly string[],
): Edit[] {
  const array = arrayOf(constantNamed(code, where.constant), where.property);
  if (array === undefined) return [];
  const texts = array.elements.flatMap((node) => (node === null ? [] : code.text.slice(node.start, node.end)));
  const left = texts.filter((text) => !elements.includes(text));
  return [{ start: array.start, end: array.end, text: `[${left.join(", ")}]` }];
}

/** Removes casts from a literal: `{ … } as const satisfies X`. */
function bare(node: Node | undefined): Node | undefined {
  return node?.type === "TSAsExpression" || node?.type === "TSSatisfiesExpression" ? bare(node.expression) : node;
}

function arrayOf(value: Node | undefined, property: string): ArrayExpression | undefined {
  const object = bare(value);
  if (object?.type !== "ObjectExpression") return undefined;
  for (const member of object.properties) {
    if (member.type !== "Property" || member.key.type !== "Identifier" || member.key.name !== property) continue;
    const found = bare(member.value);
    return found?.type === "ArrayExpression" ? found : undefined;
  }
  return undefined;
}
