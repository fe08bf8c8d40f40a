import type { Json } from "@kubewright/cel/json";
import { expect, it } from "vitest";
import { encodeYaml } from "./encode-yaml.ts";

const words = "one two three four five six seven eight nine ten eleven twelve thirteen";

// The expected text was copied from kube-apiserver.
it("breaks long texts at the first space after column 80, as Go does", () => {
  const document = {
    args: [`word ${words} fourteen`, `x: y ${words} fourteen`],
    [`${"key-".repeat(22)}x`]: "a b c d",
    env: [{ name: "A", value: `word ${words}  fourteen` }],
    lines: `${words} fourteen fifteen sixteen\n${words} fourteen fifteen sixteen\n`,
    quoted: `tab\there ${words}  fourteen`,
    spaces: `1: ${words}  fourteen  fifteen sixteen `,
  };
  expect(encodeYaml(document)).toBe(`args:
- word one two three four five six seven eight nine ten eleven twelve thirteen fourteen
- 'x: y one two three four five six seven eight nine ten eleven twelve thirteen fourteen'
env:
- name: A
  value: word one two three four five six seven eight nine ten eleven twelve thirteen  fourteen
${"key-".repeat(22)}x: a
  b c d
lines: |
  one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
quoted: "tab\\there one two three four five six seven eight nine ten eleven twelve
  thirteen  fourteen"
spaces: '1: one two three four five six seven eight nine ten eleven twelve thirteen  fourteen  fifteen
  sixteen '
`);
});

// The expected texts are those of kube-apiserver.
it.each([
  ["-a", "-a"],
  ["--", "--"],
  [":a", ":a"],
  ["?b", "?b"],
  ["=", "="],
  ["<<", "<<"],
  ["...", "'...'"],
  ["12:30", '"12:30"'],
  ["12:60", "12:60"],
  ["1._5", '"1._5"'],
  ["1e400", "1e400"],
  ["0XFF", '"0XFF"'],
  ["0B1", '"0B1"'],
  ["0O7", '"0O7"'],
  ["2001-01-01", '"2001-01-01"'],
  ["2001-01-01t00:00:00", "2001-01-01t00:00:00"],
  ["a\u00a0b", "a\u00a0b"],
  ["a\u0085b", "a b"],
  ["\u2028", "'\u2028'"],
  ["\ue0000\ue001", "\ue0000\ue001"],
  ["\u{1f600}", '"\\U0001F600"'],
  ["\na", "|2-\n\n  a"],
  ["\n", "|2+\n"],
  ["a\nb ", '"a\\nb "'],
  ["a \nb", '"a \\nb"'],
  [1e21, "1e+21"],
  [123456789.5, "1.234567895e+08"],
  [1000000, "1000000"],
  [[[1, [2]], {}, [{ a: [] }, null]], "\n- - 1\n  - - 2\n- {}\n- - a: []\n  - null"],
])("writes %j as %j", (value, text) => {
  expect(encodeYaml({ a: value as Json })).toBe(`a:${text.startsWith("\n") ? "" : " "}${text}\n`);
});

it("sorts keys as Go's YAML does, and gives long ones lines of their own", () => {
  const keys = ["a10", "a9", "a09", "b", "_x", "Z", "ab", "a-b", "a1b", "10", "9", "x".repeat(129)];
  const text = encodeYaml(Object.fromEntries(keys.map((key) => [key, null])));
  expect(text.replaceAll(": null", "").replaceAll('"', "").split("\n").slice(0, -1)).toEqual([
    ...["_x", "9", "10", "Z", "a-b", "a1b", "a9", "a09", "a10", "ab", "b", `? ${"x".repeat(129)}`],
    "",
  ]);
});

it("rejects control characters, which Go's YAML can't read", () => {
  expect(() => encodeYaml({ a: "\x7f" })).toThrow("yaml: control characters are not allowed");
});
