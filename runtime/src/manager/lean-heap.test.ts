import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { keepHeapLean } from "./lean-heap.ts";

/** Peak size of the heap and size of the young generation, in MiB, of a process that keeps a little of much that it makes. */
function heapOf(first: string): { peak: number; young: number } {
  const module = JSON.stringify(fileURLToPath(new URL("lean-heap.ts", import.meta.url)));
  const code = `
    import { keepHeapLean } from ${module};
    import { getHeapSpaceStatistics } from "node:v8";
    ${first}
    const kept = [];
    let peak = 0;
    for (let i = 0; i < 200_000; i++) {
      const object = JSON.parse('{"metadata":{"name":"' + i + '"},"spec":{"list":[1,2,3]}}');
      if (i % 20 === 0) kept.push(object);
      if (i % 1000 === 0) peak = Math.max(peak, process.memoryUsage().heapTotal);
    }
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
    console.log(JSON.stringify({ peak: peak / 2 ** 20, young: young / 2 ** 20 }));`;
  const args = ["--import", "tsx", "--input-type=module", "-e", code];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } }),
  );
}

it("keeps the young generation small, and with it the heap", () => {
  const lean = heapOf("keepHeapLean();");
  const usual = heapOf("");
  expect(lean.young).toBeLessThan(usual.young);
  expect(lean.peak).toBeLessThan(usual.peak - 5);
});

const young = ["--semi-space-growth-factor=1"];
const old = ["--heap-growing-percent=100", "--incremental-marking-hard-trigger=30"];

it.each([
  ["--max-semi-space-size=32", old],
  ["--max_semi_space_size=32", old],
  ["--min-semi-space-size=4", old],
  ["--semi-space-growth-factor=2", old],
  ["--enable-source-maps --heap-growing-percent=100", young],
  ["--incremental-marking-soft-trigger=50", young],
  ["--optimize-for-size", []],
  ["--max-old-space-size=192 --enable-source-maps", [...young, ...old]],
])("leaves alone what %s decides", (given, set) => {
  expect(keepHeapLean(given)).toEqual(set);
});
