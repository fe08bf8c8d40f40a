// The positions of comments in a patched CRD file, as with controller-gen v0.23.0.
import { expect, it } from "vitest";
import { parseDocument } from "yaml";
import { arrangeComments, restoreLineComments } from "./comments.ts";

function arranged(text: string): string {
  const document = parseDocument(text, { keepSourceTokens: true });
  arrangeComments(document, text);
  return restoreLineComments(document.toString());
}

it.each([
  ["between blank lines", "a: b\n\n# c\n\nd: e\n", "a: b\n# c\nd: e\n"],
  ["below a value, indented more than the next key", "a: b\n  # c\nd: e\n", "a: b\n# c\nd: e\n"],
  ["indented more, with a blank line below", "a: b\n  # c\n\nd: e\n", "a: b\n# c\n\nd: e\n"],
  ["indented more, with blank lines around", "a: b\n\n  # c\n\nd: e\n", "a: b\n# c\nd: e\n"],
  ["indented more, with another comment", "a: b\n  # c\n# f\nd: e\n", "a: b\n# c\n# f\nd: e\n"],
  [
    "below the last value of an inner object, indented more",
    "a:\n  b: d\n    # c\ne: f\n",
    "a:\n  b: d\n  # c\ne: f\n",
  ],
  ["below an item, indented more", "a:\n  - b\n    # c\n  - d\n", "a:\n  - b\n  # c\n  - d\n"],
  ["indented more, with a blank line below", "a:\n  - b\n    # c\n\n  - d\n", "a:\n  - b\n  # c\n\n  - d\n"],
  ["below the last item, indented more", "a:\n  - b\n    # c\nd: e\n", "a:\n  - b\n  # c\nd: e\n"],
  ["below a key, with a blank line below", "a:\n# c\n\n  b: d\n", "a:\n  # c\n  b: d\n"],
  ["on the line of a block scalar", "a: | # c\n  x\nd: e\n", "a: | # c\n  x\nd: e\n"],
  ["on the line of a value", "a: b # c\nd: e\n", "a: b # c\nd: e\n"],
])("arrangeComments moves a comment as controller-gen does: %s", (_, text, expected) => {
  expect(arranged(text)).toBe(expected);
});
