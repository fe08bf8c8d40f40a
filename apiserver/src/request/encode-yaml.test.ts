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
