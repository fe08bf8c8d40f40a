// Runs the command lines of the documentation as they are written.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Run } from "./procedure.ts";
import { type End, inProject, type Place, Reader } from "./reader.ts";
import { allScripts } from "./scripts.ts";

let reader: Reader;
beforeAll(async () => {
  reader = await Reader.start();
});
afterAll(() => reader?.end());

const blocks = allScripts().flatMap(({ page, line, lines, procedures }) =>
  procedures.flatMap((procedure) => ("after" in procedure ? [[`${page}:${line}`, lines, procedure] as const] : [])),
);

it("the test below finds blocks", () => expect(blocks.length).toBeGreaterThan(25));

// Concurrently, because each test mostly waits for processes to start.
it.concurrent.each(blocks)("%s", async (_, lines, procedure) => {
  let place = await reader.after(procedure.after);
  for (const line of lines.filter((line) => !beginsWith(line, Object.keys(procedure.testedBy ?? {})))) {
    const from = await placeFor(line, procedure, place);
    const { end, place: to } = await reader.type(from, line);
    expect(end.code, `${line}\n${end.output}`).toBe(0);
    expect(outcomeOf(end), `${line}\n${end.output}`).toBe(expectedOf(line, procedure));
    if (from === place) place = to;
  }
});

function beginsWith(line: string, beginnings: readonly string[] = []): boolean {
  return beginnings.some((begin) => line.startsWith(begin));
}

function outcomeOf({ changed, output }: End): string {
  return changed ? "writes" : output === "" ? "is silent" : "prints output";
}

function expectedOf(line: string, { printing, silent }: Run): string {
  return beginsWith(line, silent) ? "is silent" : beginsWith(line, printing) ? "prints output" : "writes";
}

/** Returns the place to run a line: that of the previous line, unless the line is an alternative or begins another project. */
async function placeFor(line: string, { after, apart }: Run, place: Place): Promise<Place> {
  if (inProject(place) && / init /.test(line)) return reader.after([]);
  return apart ? reader.after(after) : place;
}
