import { describe, expect, test } from "vitest";
import { frameOf, linesOf } from "./code-frame.ts";
import { createCollector } from "./collector.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { didYouMean, editDistance } from "./did-you-mean.ts";
import { toJsonDiagnostics } from "./render-json.ts";
import { renderText } from "./render-text.ts";

const finding = (changes: Partial<Diagnostic> = {}): Diagnostic => ({
  id: "unknown-marker",
  severity: "error",
  message: 'unknown marker "+kubebuilder:foo"',
  file: "/project/api/v1/game-types.ts",
  line: 2,
  column: 6,
  ...changes,
});

describe("collector", () => {
  test("sorts by position and keeps the same finding once", () => {
    const { report, all } = createCollector();
    report(finding({ line: 9 }));
    report(finding());
    report(finding());
    report(finding({ file: "/project/a.ts" }));
    expect(all().map(({ file, line }) => `${file}:${line}`)).toEqual([
      "/project/a.ts:2",
      "/project/api/v1/game-types.ts:2",
      "/project/api/v1/game-types.ts:9",
    ]);
  });

  test("changes the severity or drops the finding with a level for its ID", () => {
    const collector = createCollector({ levels: { "unknown-marker": "warning", "enum-type": "off" } });
    collector.report(finding());
    collector.report(finding({ id: "enum-type" }));
    expect(collector.all()).toMatchObject([{ id: "unknown-marker", severity: "warning" }]);
    expect(collector.hasErrors()).toBe(false);
  });

  test("turns warnings into errors with strict, except those that are off", () => {
    const collector = createCollector({ levels: { "enum-type": "off" }, strict: true });
    collector.report(finding({ severity: "warning" }));
    collector.report(finding({ id: "enum-type", severity: "warning" }));
    expect(collector.all()).toMatchObject([{ severity: "error" }]);
    expect(collector.hasErrors()).toBe(true);
  });
});

describe("the code frame", () => {
  test("marks the column between its neighboring lines", () => {
    expect(frameOf(linesOf("one\ntwo three\nfour"), 2, 5)).toBe("  1 | one\n> 2 | two three\n    |     ^\n  3 | four");
  });

  test("keeps tabs, to align the mark with its column", () => {
    expect(frameOf(linesOf("\t\tx = 1"), 1, 3)).toBe("> 1 | \t\tx = 1\n    | \t\t^");
  });

  test("shows the part of a long line around the mark", () => {
    const frame = frameOf(linesOf(`${"a".repeat(500)}!${"b".repeat(500)}`), 1, 501);
    const [code, mark] = frame.split("\n") as [string, string];
    expect(code.length).toBeLessThan(140);
    expect(code[mark.indexOf("^")]).toBe("!");
  });

  test("contains no control characters", () => {
    expect(frameOf(linesOf("\ta\u001b[2Jb\u202ec"), 1, 0)).toBe("> 1 | \ta·[2Jb·c");
  });

  test("is empty for a line that doesn't exist, and has no mark for a whole line", () => {
    expect(frameOf(linesOf("one"), 7, 1)).toBe("");
    expect(frameOf(linesOf("one\r\ntwo"), 1, 0)).toBe("> 1 | one\n  2 | two");
  });
});

describe("the text output", () => {
  const render = (diagnostic: Diagnostic, source?: string) =>
    renderText([diagnostic], { cwd: "/project/config", readSource: () => source });

  test("contains position, severity, message, ID, code and hint", () => {
    expect(render(finding({ hint: "did you mean `+x`?" }), "a\n  // +kubebuilder:foo\nb")).toBe(
      '../api/v1/game-types.ts:2:6: error: unknown marker "+kubebuilder:foo" [unknown-marker]\n' +
        "  1 | a\n> 2 |   // +kubebuilder:foo\n    |      ^\n  3 | b\n  hint: did you mean `+x`?\n",
    );
  });

  test("contains no code if the file can't be read, and only a known position", () => {
    expect(render(finding({ line: 0, column: 0 }))).toMatch(/^\.\.\/api\/v1\/game-types\.ts: error: .*\n$/);
    expect(render(finding({ file: "", line: 0, column: 0, severity: "warning" }))).toMatch(/^warning: /);
  });

  test("is empty without diagnostics", () => {
    expect(renderText([], { cwd: "/", readSource: () => undefined })).toBe("");
  });

  test("has colors only if they are enabled", () => {
    const options = {
      cwd: "/",
      readSource: () => undefined,
      paint: (code: number, text: string) => `\u001b[${code}m${text}\u001b[0m`,
    };
    expect(renderText([finding()], options)).toContain("\u001b[31merror\u001b[0m");
  });
});

test("the JSON output has the documented fields, and paths relative to the working directory", () => {
  expect(toJsonDiagnostics([finding(), finding({ hint: "h" })], "/project")).toEqual([
    finding({ file: "api/v1/game-types.ts" }),
    finding({ file: "api/v1/game-types.ts", hint: "h" }),
  ]);
});

describe("near misses", () => {
  test("editDistance counts edits", () => {
    expect([editDistance("", "abc"), editDistance("kitten", "sitting"), editDistance("a", "a")]).toEqual([3, 3, 0]);
  });

  test("editDistance counts two adjacent characters in the wrong order as one edit", () => {
    expect([editDistance("iint", "init"), editDistance("delpoymnet", "deployment", 2)]).toEqual([1, 2]);
    expect([editDistance("ba", "ab", 1), editDistance("xba", "xab", 1), editDistance("abc", "cba")]).toEqual([1, 1, 2]);
  });

  test("didYouMean returns the nearest name in any case, and undefined if none is near", () => {
    const names = ["Minimum", "Maximum", "MinItems"];
    expect(didYouMean("minimum", names)).toBe("Minimum");
    expect(didYouMean("Maximun", names)).toBe("Maximum");
    expect(didYouMean("Pattern", names)).toBeUndefined();
    expect(didYouMean("x", ["y"], 0)).toBeUndefined();
  });

  test("didYouMean prefers the name in the same case among equally near ones", () => {
    expect(didYouMean("optional", ["Optional", "optional"])).toBe("optional");
  });
});
