import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../../../scripts/test-support/bundle.ts";
import { LimitedMap } from "./limited-map.ts";

it("forgets the oldest entries beyond its limit", () => {
  const map = new LimitedMap<string, number>(3);
  for (let number = 0; number < 100; number++) map.set(`key-${number % 50}`, number);
  expect(map.size).toBe(3);
  expect([map.get("key-46"), map.get("key-49")]).toEqual([undefined, 99]);
  map.set("key-47", -1);
  map.set("new", 100);
  expect([map.get("key-47"), map.get("key-48")]).toEqual([-1, undefined]);
  map.delete("new");
  expect(map.size).toBe(2);
});

/** Reads a time in zones with 200 spellings. Prints the hours that differ from the expected one, and how many more formats remain. */
const program = `
import { queryObjects } from "node:v8";
import { inZone } from "./time.mjs";
const zone = "America/Argentina/Buenos_Aires";
const spelling = (bits) =>
  [...zone].map((char, index) => (bits & (1 << (index % 12)) ? char.toUpperCase() : char.toLowerCase())).join("");
const before = Number(queryObjects(Intl.DateTimeFormat, { format: "count" }));
const spellings = new Set(Array.from({ length: 200 }, (_, bits) => spelling(bits)));
const wrong = [...spellings].filter((text) => inZone({ nanos: 0n }, text).getUTCHours() !== 21);
const formats = Number(queryObjects(Intl.DateTimeFormat, { format: "count" })) - before;
console.log(JSON.stringify({ spellings: spellings.size, wrong, formats }));
`;

// In a process of its own, because objects are counted slowly in the large memory of the other tests.
it("a rule that reads the zone from objects doesn't fill the memory with the spellings of a zone", ({ task }) => {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-zones-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  bundle(new URL("./time.ts", import.meta.url), directory);
  const args = ["--input-type=module", "--eval", program];
  const { spellings, wrong, formats } = JSON.parse(
    execFileSync(process.execPath, args, { encoding: "utf8", cwd: directory }),
  );
  expect([spellings, wrong]).toEqual([200, []]);
  expect(formats).toBeLessThanOrEqual(101);
  (task.meta as { attempts?: number }).attempts = spellings;
});
