import { expect, it } from "vitest";
import { seededRandom } from "../../../scripts/test-support/random.ts";
import { formatTxtar, parseTxtar } from "./txtar.ts";

const roundTrip = (texts: readonly string[], convert = (archive: string) => archive) => {
  const files = texts.map((text, index) => ({ path: `f${index}`, text }));
  return parseTxtar(convert(formatTxtar({ comment: "About\n", files })), texts.length)?.files.map(({ text }) => text);
};

function randomFrom(seed: number): (below: number) => number {
  const next = seededRandom(seed);
  return (below) => Math.floor(next() * below);
}

const parts = [
  ..."a- \\\n\r\t",
  ...["-- ", " --", "-- f1 --", "\n-- f1 --\n", "\\r ", "\\n", "\r\n", "\n\n", "\\\\", "\u2028", "\u{1f600}", "\ufeff"],
  "\\ No newline at end of file",
  "\\ No newline at end of file\n",
];

it("keeps all texts in a round trip", () => {
  const random = randomFrom(7);
  for (let round = 0; round < 20_000; round++) {
    const text = () => Array.from({ length: random(8) }, () => parts[random(parts.length)]).join("");
    const texts = Array.from({ length: 1 + random(3) }, text);
    expect(roundTrip(texts)).toEqual(texts);
  }
});

it("keeps all texts if git converts the line breaks of the archive", () => {
  const random = randomFrom(8);
  for (let round = 0; round < 5_000; round++) {
    const texts = [Array.from({ length: random(8) }, () => parts[random(parts.length)]).join("")];
    expect(roundTrip(texts, (archive) => archive.replaceAll("\n", "\r\n"))).toEqual(texts);
  }
});

it("writes the txtar format", () => {
  const files = [
    { path: "a.sql", text: "-- a comment --\nselect 1\n" },
    { path: "b/c.txt", text: "one\r\n\\two" },
    { path: "empty", text: "" },
  ];
  expect(formatTxtar({ comment: "About\n\n", files })).toBe(`About

-- a.sql --
\\-- a comment --
select 1
-- b/c.txt --
\\r one
\\\\two
\\ No newline at end of file
-- empty --
`);
});

it("reads archives of other tools", () => {
  expect(parseTxtar("-- a --\n-- b --\n-- no file\n--  --\ntext", 9)).toEqual({
    comment: "",
    files: [
      { path: "a", text: "" },
      { path: "b", text: "-- no file\n--  --\ntext" },
    ],
  });
  expect(parseTxtar("only a comment", 9)).toEqual({ comment: "only a comment", files: [] });
});
