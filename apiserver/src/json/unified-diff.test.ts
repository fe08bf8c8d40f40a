import { expect, test } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

test("equal texts have no differences", () => {
  expect(unifiedDiff("a\nb", "a\nb")).toBe("");
});

test("changes have three lines of context, and distant ones their own group", () => {
  const old = numbered(20);
  const current = [...old.slice(0, 4), "new", ...old.slice(5, 18), "more", ...old.slice(18)];
  expect(unifiedDiff(old.join("\n"), current.join("\n"))).toBe(`@@ -2,7 +2,7 @@
 line 2
 line 3
 line 4
-line 5
+new
 line 6
 line 7
 line 8
@@ -16,5 +16,6 @@
 line 16
 line 17
 line 18
+more
 line 19
 line 20
`);
});

test("ranges of one and of no lines are short", () => {
  expect(unifiedDiff("a", "b")).toBe("@@ -1 +1 @@\n-a\n+b\n");
  expect(unifiedDiff("a", "a\nb")).toBe("@@ -1 +1,2 @@\n a\n+b\n");
});

test("the longest block in common stays, also where the texts begin in the same way", () => {
  expect(unifiedDiff("a\nb", "a\nc\na\nb")).toBe("@@ -1,2 +1,4 @@\n+a\n+c\n a\n b\n");
});

test("lines that repeat often don't hold long texts together", () => {
  const filler = new Array<string>(100).fill("x");
  const [old, current] = [
    ["a", ...filler, ...numbered(100)],
    [...numbered(100), ...filler, "b"],
  ];
  expect(unifiedDiff(old.join("\n"), current.join("\n"))).toMatch(/^@@ -1,104 \+1,3 @@\n-a\n(-x\n){100} line 1\n/);
});
