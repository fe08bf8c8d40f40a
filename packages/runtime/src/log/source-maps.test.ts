import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { originsOf } from "./mappings.ts";
import { SourceMaps } from "./source-maps.ts";

const directory = mkdtempSync(join(tmpdir(), "kubewright-maps-"));
const bundle = join(directory, "dist/main.js");
const url = pathToFileURL(bundle).href;
let map: { mappings: string; sources: string[] };
let code: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "./create-logger.ts";', resolveDir: import.meta.dirname },
    bundle: true,
    platform: "node",
    format: "esm",
    minifyWhitespace: true,
    lineLimit: 120,
    sourcemap: true,
    sourcesContent: false,
    outfile: bundle,
    write: false,
  });
  const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  map = JSON.parse(textOf(".map"));
  code = textOf("main.js");
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it("originsOf returns the same origin as Node.js for each position in a bundle", () => {
  const reference = new SourceMap(map as never);
  const positions = code
    .split("\n")
    .flatMap((line, index) => [1, 7, 40, 80, line.length + 1].map((column) => ({ line: index + 1, column })));
  expect(positions.length).toBeGreaterThan(1000);
  const origins = originsOf(map.mappings, positions.toReversed()).reverse();
  for (const [index, { line, column }] of positions.entries()) {
    const entry = reference.findEntry(line - 1, column - 1) as {
      generatedLine?: number;
      originalSource?: string;
      originalLine?: number;
      originalColumn?: number;
    };
    // Node.js may return an entry of an earlier line, which is never the position of an error.
    if (entry.generatedLine !== line - 1) continue;
    const origin = origins[index];
    expect(origin && { source: map.sources[origin.source], line: origin.line, column: origin.column }).toEqual({
      source: entry.originalSource,
      line: (entry.originalLine ?? 0) + 1,
      column: (entry.originalColumn ?? 0) + 1,
    });
  }
});

it("SourceMaps changes only frames of a bundle with a source map", async () => {
  const own = mkdtempSync(join(directory, "own-"));
  const file = join(own, "main.js");
  const at = pathToFileURL(file).href;
  writeFileSync(
    `${file}.map`,
    JSON.stringify({ mappings: "AAAA;;ACEA,QCDI", sources: ["../src/a.ts", "../src/b.ts", "c.ts"] }),
  );
  const frames = ["1:1", "2:5", "3:1", "3:8", "3:9", "4:1"];
  const stack = ["Error: no", ...frames.map((frame) => `    at f (${at}:${frame})`), `    at ${url}:1:1`].join("\n");
  const maps = new SourceMaps();
  const expected = [
    "Error: no",
    "    at f (src/a.ts:1:1)",
    `    at f (${at}:2:5)`,
    "    at f (src/b.ts:3:1)",
    "    at f (src/b.ts:3:1)",
    "    at f (c.ts:2:5)",
    `    at f (${at}:4:1)`,
    `    at ${url}:1:1`,
  ].join("\n");
  expect(maps.mapped(stack)).toBe(expected);
  // The map is cached, so that the file isn't needed again.
  rmSync(own, { recursive: true });
  expect(maps.mapped(stack)).toBe(expected);
});

it("SourceMaps shortens paths of packages to node_modules/, also if the bundle is in that directory", () => {
  const own = mkdtempSync(join(directory, "project-"));
  for (const [place, sources] of [
    ["node_modules/.cache/dev", ["../../@kubewright/runtime/dist/index.js", "../../../src/main.ts"]],
    ["dist", ["../node_modules/@kubewright/runtime/dist/index.js", "../src/main.ts"]],
  ] as const) {
    const file = join(own, place, "main.js");
    mkdirSync(join(own, place), { recursive: true });
    writeFileSync(`${file}.map`, JSON.stringify({ mappings: "AAAA;ACAA", sources }));
    const at = pathToFileURL(file).href;
    expect(new SourceMaps().mapped(`at f (${at}:1:1)\nat g (${at}:2:1)`), place).toBe(
      "at f (node_modules/@kubewright/runtime/dist/index.js:1:1)\nat g (src/main.ts:1:1)",
    );
  }
});

it.each(["", "{", "{}", "[]", '{"mappings":";;;A","sources":[]}', '{"mappings":"!!!","sources":["a"]}'])(
  "SourceMaps returns the original stack or a position for the invalid map %s",
  (text) => {
    const file = join(directory, "broken.js");
    writeFileSync(`${file}.map`, text);
    const stack = `Error\n    at ${pathToFileURL(file).href}:1:1`;
    expect(new SourceMaps().mapped(stack)).toMatch(/^Error\n {4}at \S+$/);
  },
);
