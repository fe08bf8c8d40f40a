// Tests the rules of the prose lint, and the texts that it extracts from a file.
import { describe, expect, it } from "vitest";
import { check } from "./rules.ts";
import { codeTexts, pageTexts, templateTexts, testTexts } from "./texts.ts";

describe("the rules find", () => {
  it.each([
    ["What is absent is reported.", "clause-as-noun"],
    ["What Vitest leaves open is closed.", "clause-as-noun"],
    ["See below. Whoever calls it, waits.", "clause-as-noun"],
    ["Where there is no file, it is created.", "clause-as-noun"],
    ["The status says whether it runs.", "speaking-things"],
    ["the cluster knows the address", "speaking-things"],
    ['--version "1" is no API version', "negated-noun"],
    ["nobody reads it", "nobody"],
    ["npm install takes it away", "archaic"],
    ["Mend the file, and run it again.", "glossary"],
    ["It needs further rights.", "rights"],
    ["Creates the file where there is none.", "where-for-if"],
  ])("%s", (text, rule) => expect(check(text, "comment").map((finding) => finding.rule)).toContain(rule));

  it.each([
    ["refuses a file without a kind", "title-verb"],
    ["takes a whole file", "title-verb"],
    ["leaves the project as it was", "title-phrase"],
  ])("the title %s", (text, rule) => {
    expect(check(text, "title").map((finding) => finding.rule)).toEqual([rule]);
    expect(check(text, "message")).toEqual([]);
  });
});

describe("the rules accept", () => {
  it.each([
    "What does it cost?",
    "What if the leader dies? Another one takes over.",
    "If you know kubebuilder, you know the layout.",
    "There is no project in this directory.",
    "The file is no longer needed.",
    "Runs where the pod runs.",
    "Returns the object.",
  ])("%s", (text) => expect(check(text, "comment")).toEqual([]));

  it.each(["takes at most 50 ms", "takes linear time", "takes over the lock"])("the title %s", (text) => {
    expect(check(text, "title")).toEqual([]);
  });
});

describe("pageTexts", () => {
  const page =
    "# Title\n\nFirst `code` [link](what.md).\n\n```sh\nWhat runs\n```\n\n- an item\n- another\n\n| a | b |\n| - | - |\n";

  it("returns a text per paragraph, item and cell, without code", () => {
    expect(pageTexts(page).filter(({ text }) => text !== "x")).toEqual([
      { text: "Title", line: 1, kind: "page" },
      { text: "First x [link].", line: 3, kind: "page" },
      { text: "an item", line: 9, kind: "page" },
      { text: "another", line: 10, kind: "page" },
      { text: "a", line: 12, kind: "page" },
      { text: "b", line: 12, kind: "page" },
    ]);
  });
});

describe("codeTexts", () => {
  it("returns comments and string literals that are sentences", () => {
    const code =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is part of the code.
      '/** One. */\nconst a = "two words";\n// Three\n// four.\nthrow new Error(`five ${a} six`);\nimport "node:fs";\n';
    expect(codeTexts(code)).toEqual([
      { text: "One. ", line: 1, kind: "comment" },
      { text: "two words", line: 2, kind: "message" },
      { text: "Three\nfour.", line: 3, kind: "comment" },
      { text: "five x six", line: 5, kind: "message" },
    ]);
  });

  it("returns texts at whose start the rules apply, from comments of several lines and from JSX", () => {
    const [comment] = codeTexts("/**\n * What is absent.\n *\n * More.\n */\n");
    expect(check(comment?.text.replace(/\s/g, " ") ?? "", "comment").map(({ rule }) => rule)).toEqual([
      "clause-as-noun",
    ]);
    const page = "const a = <p>one {b} two</p>;\n/** Three. */\nconst c = 'four five';\n";
    expect(codeTexts(page, "x.tsx").map(({ text }) => text)).toEqual(["Three. ", "four five"]);
  });

  it("removes code in backticks", () => {
    expect(codeTexts("// Calls `What is`.")).toEqual([{ text: "Calls x.", line: 1, kind: "comment" }]);
  });
});

describe("testTexts", () => {
  const titlesOf = (code: string) => testTexts(code).flatMap(({ text, kind }) => (kind === "title" ? [text] : []));

  it("returns comments and titles, without inputs and expected outputs", () => {
    const code =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is part of the code.
      'describe("Parser", () => {\n  // One.\n  it(`reads ${a}`, () => expect("two words").toBe("x"));\n});\n';
    expect(testTexts(code)).toEqual([
      { text: "Parser", line: 1, kind: "title" },
      { text: "One.", line: 2, kind: "comment" },
      { text: "reads x", line: 3, kind: "title" },
    ]);
  });

  it("finds titles of tests with modifiers, but not calls of other methods", () => {
    const code =
      'it.runIf(a).each(b)("is run", f);\ndescribe.skip("is skipped", f);\n/a/.test("a b");\nmanager.it("is a method");\n';
    expect(titlesOf(code)).toEqual(["is run", "is skipped"]);
  });

  it.each([
    ["a literal", 'it.each([["no kind", 1]] as const)("rejects %s", (_, value) => {});', ["rejects %s", "no kind"]],
    ["a constant", 'const rows = [["no kind"]];\nit.each(rows)("%s", (_name) => {});', ["no kind", "%s"]],
    ["inputs", 'it.each([["no kind"]])("rejects %s", (text) => {});', ["rejects %s"]],
  ])("finds the names of cases in a table, but no inputs: %s", (_, code, titles) => {
    expect(titlesOf(code).sort()).toEqual(titles.toSorted());
  });
});

describe("templateTexts", () => {
  it("returns the comments, without Handlebars", () => {
    expect(templateTexts("{{#if a}}\n# The {{kind}}.\n{{/if}}\nkind: Role # a role\n", "a/role.yaml.hbs")).toEqual([
      { text: "The x.", line: 2, kind: "comment" },
      { text: "a role", line: 4, kind: "comment" },
    ]);
  });
});
