// Tests the rules of the prose lint, and the texts that it extracts from a file.
import { describe, expect, it } from "vitest";
import { check } from "./rules.ts";
import { codeTexts, pageTexts, templateTexts } from "./texts.ts";

describe("the rules find", () => {
  it.each([
    ["What is absent is reported.", "clause-as-noun"],
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
  ])("%s", (text, rule) => expect(check(text).map((finding) => finding.rule)).toContain(rule));
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
  ])("%s", (text) => expect(check(text)).toEqual([]));
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

  it("removes code in backticks", () => {
    expect(codeTexts("// Calls `What is`.")).toEqual([{ text: "Calls x.", line: 1, kind: "comment" }]);
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
