// The command lines of the documentation, typed as they stand there.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type End, inProject, type Place, Reader } from "./reader.ts";
import type { Run } from "./runs.ts";
import { allScripts } from "./scripts.ts";

let reader: Reader;
beforeAll(async () => {
  reader = await Reader.start();
});
afterAll(() => reader?.end());

const blocks = allScripts().flatMap(({ page, line, lines, ways }) =>
  ways.flatMap((way) => ("after" in way ? [[`${page}:${line}`, lines, way] as const] : [])),
);

it("finds blocks", () => expect(blocks.length).toBeGreaterThan(25));

// Most of the time one waits for another process to start.
it.concurrent.each(blocks)("%s", async (_, lines, way) => {
  let place = await reader.after(way.after);
  for (const line of lines.filter((each) => !beginsWith(each, Object.keys(way.elsewhere ?? {})))) {
    const from = await placeFor(line, way, place);
    const { end, place: to } = await reader.type(from, line);
    expect(end.code, `${line}\n${end.said}`).toBe(0);
    expect(outcomeOf(end), `${line}\n${end.said}`).toBe(expectedOf(line, way));
    if (from === place) place = to;
  }
});

function beginsWith(line: string, beginnings: readonly string[] = []): boolean {
  return beginnings.some((begin) => line.startsWith(begin));
}

function outcomeOf({ changed, said }: End): string {
  return changed ? "writes" : said === "" ? "is silent" : "says something";
}

function expectedOf(line: string, { says, silent }: Run): string {
  return beginsWith(line, silent) ? "is silent" : beginsWith(line, says) ? "says something" : "writes";
}

/** Where a line of a block is typed: where the one before has led, unless it is another choice or begins another project. */
async function placeFor(line: string, { after, apart }: Run, place: Place): Promise<Place> {
  if (inProject(place) && / init /.test(line)) return reader.after([]);
  return apart ? reader.after(after) : place;
}
