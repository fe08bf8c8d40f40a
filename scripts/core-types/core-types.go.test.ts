// The checked-in data must equal the current output of the Go tool, and its schemas those of controller-gen.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { coreTypesVersion, loadCoreType } from "../../src/generate/schema/core-types.ts";
import { createFlattener } from "../../src/generate/schema/flatten.ts";
import { mergeAllOf } from "../../src/generate/schema/merge.ts";
import type { JSONSchema } from "../../src/generate/schema/model/json-schema.ts";
import { coreRef, coreRefParts } from "../../src/generate/schema/model/known-types.ts";

const checkedIn = join(import.meta.dirname, "../../data/core-types", coreTypesVersion);
const out = mkdtempSync(join(tmpdir(), "kubewright-core-types-"));
const flattenedFile = join(out, "flattened.json");

beforeAll(() => {
  const args = ["run", ".", "-out", out, "-kubernetes", coreTypesVersion, "-flattened", flattenedFile];
  execFileSync("go", args, { cwd: import.meta.dirname, stdio: ["ignore", "inherit", "inherit"] });
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

it("the checked-in data equals the extracted data", () => {
  const extracted = join(out, "core-types", coreTypesVersion);
  const files = readdirSync(extracted).sort();
  expect(readdirSync(checkedIn).sort()).toEqual(files);
  const stale = files.filter(
    (file) => readFileSync(join(extracted, file), "utf8") !== readFileSync(join(checkedIn, file), "utf8"),
  );
  expect(stale, "run `go run . -out ../../data` in scripts/core-types").toEqual([]);
});

it("every type is flattened as by controller-gen", () => {
  const expected: Record<string, Record<string, JSONSchema>> = JSON.parse(readFileSync(flattenedFile, "utf8"));
  const load = (ref: string): JSONSchema | undefined => {
    const parts = coreRefParts(ref);
    return parts && loadCoreType(parts.goPackage, parts.name);
  };
  const different: string[] = [];
  let compared = 0;
  for (const [goPackage, types] of Object.entries(expected)) {
    for (const [name, schema] of Object.entries(types)) {
      // controller-gen cuts off a recursive type at a place that depends on the types that it visited before.
      let recursive = false;
      const flattener = createFlattener(load, () => {
        recursive = true;
      });
      const ours = mergeAllOf(flattener.flattenType(coreRef(goPackage, name)), () => {});
      if (recursive) continue;
      compared++;
      if (!isDeepStrictEqual(JSON.parse(JSON.stringify(ours)), schema)) different.push(`${goPackage}.${name}`);
    }
  }
  expect(different).toEqual([]);
  expect(compared).toBeGreaterThan(1400);
});
