import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { eachLine } from "./lines.ts";

/** Returns the lines of an output that arrives in chunks. */
async function linesOf(...chunks: (string | Buffer)[]): Promise<string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  eachLine(stream, (line) => void lines.push(line));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await new Promise((resolve) => stream.once("close", resolve));
  return lines;
}

it("passes lines on that arrive in parts, with the line ends of all systems", async () => {
  expect(await linesOf("a\nb", "c\r\n", "\nlast")).toEqual(["a", "bc", "", "last"]);
  const text = Buffer.from("grün\n");
  expect(await linesOf(text.subarray(0, 3), text.subarray(3))).toEqual(["grün"]);
});

it("passes output without line ends on in parts, so that its memory is bounded", async () => {
  const binary = Buffer.alloc(2_500_000, 0);
  expect((await linesOf(binary)).map(({ length }) => length)).toEqual([1_048_576, 1_048_576, 402_848]);
  const long = "x".repeat(1_000_000);
  expect(await linesOf(`${long}\nnext\n`)).toEqual([long, "next"]);
});
