import { expect, it } from "vitest";
import { shardHash } from "./hash.ts";

it.each([
  ["", 0xcbf29ce484222325n],
  ["a", 0xaf63dc4c8601ec8cn],
  ["default", 0xebada5168620c5fen],
  ["team-0", 0xde9054717d11cc99n],
  ["team-99", 0x4123a8d7855280a5n],
  ["aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", 0x93754b7248a00eb9n],
  ["ä€😀", 0xe0758eab1373c56fn],
])("shardHash(%j) is the value of Go's FNV-1a with 64 bits", (key, hash) => {
  expect(shardHash(key)).toBe(hash);
});

it("four equal ranges of team-0 to team-99 hold 0, 90, 0 and 10 objects: equal ranges aren't equal shares", () => {
  const counts = [0, 0, 0, 0];
  for (let index = 0; index < 100; index++) counts[Number(shardHash(`team-${index}`) >> 62n)]!++;
  expect(counts).toEqual([0, 90, 0, 10]);
});
