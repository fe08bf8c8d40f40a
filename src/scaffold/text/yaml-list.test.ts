import { expect, it } from "vitest";
import { appendToList } from "./yaml-list.ts";

const add = (text: string) => appendToList(text, "k.yaml", "resources", ["x.yaml", "y.yaml"]);

it.each([
  ["after the last entry", "resources:\n- a.yaml\n", "resources:\n- a.yaml\n- x.yaml\n- y.yaml\n"],
  [
    "with the indentation of the others",
    "resources:\n  - a.yaml\n",
    "resources:\n  - a.yaml\n  - x.yaml\n  - y.yaml\n",
  ],
  ["after comments below the last entry", "resources:\n- a\n# ours\n", "resources:\n- a\n# ours\n- x.yaml\n- y.yaml\n"],
  ["before the next key", "resources:\n- a\n\npatches: []\n", "resources:\n- a\n- x.yaml\n- y.yaml\n\npatches: []\n"],
  ["without a last line break", "resources:\n- a", "resources:\n- a\n- x.yaml\n- y.yaml\n"],
  ["only if they are missing", "resources:\n- x.yaml # mine\n", "resources:\n- x.yaml # mine\n- y.yaml\n"],
  ["with Windows line breaks", "resources:\r\n- a\r\n", "resources:\r\n- a\r\n- x.yaml\r\n- y.yaml\r\n"],
])("appendToList adds entries %s", (_, before, after) => {
  expect(add(before)).toBe(after);
  expect(add(after)).toBe(after);
});

it.each(["", "resources: []\n", "other:\n- a\n", "- a\n", "resources: [a]\n", "resources: {\n"])(
  "appendToList reports the lines to add if the file has no such list: %j",
  (text) => {
    expect(() => add(text)).toThrowError(/^k\.yaml has no list "resources"/);
  },
);
