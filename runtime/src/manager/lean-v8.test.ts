import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { keepV8Lean } from "./lean-v8.ts";

const ofNode20 = process.versions.v8.startsWith("11.");

/** What a process prints that runs `code`. */
function output(code: string, ...flags: string[]): string {
  const module = JSON.stringify(fileURLToPath(new URL("lean-v8.ts", import.meta.url)));
  const args = [
    ...flags,
    "--import",
    "tsx",
    "--input-type=module",
    "-e",
    `import { keepV8Lean } from ${module};${code}`,
  ];
  return execFileSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } });
}

/** Peak size of the heap and size of the young generation, in MiB, of a process that keeps a little of much that it makes. */
function heapOf(first: string): { peak: number; young: number } {
  const code = `
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
  return JSON.parse(output(code));
}

it("keeps the young generation small, and with it the heap", () => {
  const lean = heapOf("keepV8Lean();");
  const usual = heapOf("");
  expect(lean.young).toBeLessThan(usual.young);
  expect(lean.peak).toBeLessThan(usual.peak - 5);
});

if (ofNode20) {
  it("has V8 optimize what has run for long, not what runs a little", () => {
    const warm = `
      const warm = Array.from({ length: 50 }, (_, i) => new Function("a", "b", "return a * b + a - b + " + i));
      for (let turn = 0; turn < 20_000; turn++) for (const each of warm) each(turn, 3);`;
    // What is marked, not what is completed: on a busy machine, the compiler's thread may not run before the process ends.
    const optimized = (code: string): number => output(code, "--trace-opt").match(/\[marking .* for/g)?.length ?? 0;
    expect(optimized(`keepV8Lean();${warm}`)).toBeLessThan(optimized(warm) / 2);
  });
}

it("loads what a manager needs of Node before it sets a flag: V8 refuses Node's cached code after that", () => {
  const printed = output(`
    const v8 = process.getBuiltinModule("node:v8");
    v8.setFlagsFromString = () => console.log(JSON.stringify(process.moduleLoadList));
    keepV8Lean();`);
  const loaded = JSON.parse(printed.split("\n")[0] ?? "");
  expect(loaded).toEqual(
    expect.arrayContaining(["NativeModule http", "NativeModule cluster", "NativeModule perf_hooks"]),
  );
});

const young = ["--semi-space-growth-factor=1"];
const old = ["--heap-growing-percent=100", "--incremental-marking-hard-trigger=30"];
const compiler = ofNode20 ? ["--interrupt-budget=2162688"] : [];

it.each([
  ["--max-semi-space-size=32", [...old, ...compiler]],
  ["--max_semi_space_size=32", [...old, ...compiler]],
  ["--min-semi-space-size=4", [...old, ...compiler]],
  ["--semi-space-growth-factor=2", [...old, ...compiler]],
  ["--enable-source-maps --heap-growing-percent=100", [...young, ...compiler]],
  ["--incremental-marking-soft-trigger=50", [...young, ...compiler]],
  ["--optimize-for-size", compiler],
  ["--interrupt-budget=1000", [...young, ...old]],
  ["--jitless", [...young, ...old]],
  ["--max-old-space-size=192 --enable-source-maps", [...young, ...old, ...compiler]],
])("leaves alone what %s decides", (given, set) => {
  expect(keepV8Lean(given)).toEqual(set);
});
