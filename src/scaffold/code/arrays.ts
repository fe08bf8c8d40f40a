import { type ArrayLiteralExpression, Node, type SourceFile } from "ts-morph";
import { ProblemError } from "../../project/problem-error.ts";
import { constantNamed } from "./names.ts";

/** An array in a property of a constant: `const name = { property: [a, b] }`. */
export interface ArrayPlace {
  readonly constant: string;
  readonly property: string;
}

/**
 * Appends elements to an array.
 *
 * @param path the path of the file for the error
 * @throws ProblemError if the file has no such array; the hint shows the elements to add by hand
 */
export function appendElements(file: SourceFile, path: string, place: ArrayPlace, elements: readonly string[]): void {
  const array = arrayAt(file, place);
  if (array === undefined) {
    throw new ProblemError(
      "missing-array",
      `${path} has no constant ${place.constant} with a list ${place.property}; nothing was changed`,
      `add one and run the command again, which then adds these elements to the list:\n${elements.map((element) => `    ${element},`).join("\n")}`,
    );
  }
  array.addElements(elements);
}

/** Removes elements by their text. */
export function removeElements(file: SourceFile, place: ArrayPlace, elements: readonly string[]): void {
  const array = arrayAt(file, place);
  for (const element of array?.getElements().reverse() ?? []) {
    if (elements.includes(element.getText())) array?.removeElement(element);
  }
}

function arrayAt(file: SourceFile, { constant, property }: ArrayPlace): ArrayLiteralExpression | undefined {
  const object = withoutCasts(constantNamed(file, constant));
  const member = Node.isObjectLiteralExpression(object) ? object.getProperty(property) : undefined;
  const value = Node.isPropertyAssignment(member) ? withoutCasts(member.getInitializer()) : undefined;
  return Node.isArrayLiteralExpression(value) ? value : undefined;
}

/** Returns the literal in casts such as `{ … } as const satisfies X`. */
function withoutCasts(node: Node | undefined): Node | undefined {
  return Node.isAsExpression(node) || Node.isSatisfiesExpression(node) ? withoutCasts(node.getExpression()) : node;
}
