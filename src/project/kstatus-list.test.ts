import { expect, it } from "vitest";
import { editDocument } from "../yaml/document.ts";
import { kstatusLines } from "./kstatus-list.ts";
import { kstatusKinds } from "./project-file.ts";

const project = (plugins: string) => `domain: example.com\nplugins:\n  ts.kubewright.io/v1:\n${plugins}version: "3"\n`;

it.each([
  ["no list", "    helm: true\n", []],
  ["one kind", "    kstatus:\n    - myapp.example.com/v1/Game\n", ["myapp.example.com/v1/Game"]],
  [
    "indented items and other settings",
    "    helm: true\n    kstatus:\n      - a.io/v1/A\n      - a.io/v2/A\n",
    ["a.io/v1/A", "a.io/v2/A"],
  ],
])("the kinds of kstatus are read without a YAML parser: %s", (_, plugins, kinds) => {
  const text = project(plugins);
  expect(kstatusLines(text)).toEqual(kinds);
  expect(kstatusKinds(editDocument(text))).toEqual({ kinds: new Set(kinds) });
});

it.each([
  ["a list in brackets", "    kstatus: [a.io/v1/A]\n"],
  ["quotes", '    kstatus:\n    - "a.io/v1/A"\n'],
  ["a comment", "    kstatus:\n    # mine\n    - a.io/v1/A\n"],
  ["a comment that contains the name", "    kstatus:\n    - a.io/v1/A\n    # not for kstatus: B\n"],
  ["Windows line breaks", "    kstatus:\r\n    - a.io/v1/A\r\n"],
])("the kinds of kstatus need a YAML parser: %s", (_, plugins) => {
  const text = project(plugins);
  expect(kstatusLines(text)).toBeUndefined();
  expect(kstatusKinds(editDocument(text))).toEqual({ kinds: new Set(["a.io/v1/A"]) });
});

it.each(["    kstatus: true\n", "    kstatus:\n    - 5\n", "    kstatus:\n      a.io/v1/A: true\n"])(
  "%j isn't a list of kinds",
  (plugins) => {
    const text = project(plugins);
    expect(kstatusLines(text)).toBeUndefined();
    expect(kstatusKinds(editDocument(text))).toMatchObject({
      id: "broken-project",
      message: expect.stringContaining("kstatus must be a list of kinds"),
    });
  },
);
