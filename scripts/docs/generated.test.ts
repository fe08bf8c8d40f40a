// Runs the generator on types that the documentation marks with `<!-- api: … -->`, and compares its output with the
// page.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { runCli } from "../../src/cli/test-support/run-cli.ts";
import type { Block } from "./page.ts";
import { allPages } from "./pages.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-docs-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Blocks of types, each with the block of generated output below it. */
const cases = allPages().flatMap(({ blocks }) =>
  blocks.flatMap((block, index) => (block.notes.api === undefined ? [] : [[block, blocks[index + 1]] as const])),
);

it("the documentation has such blocks", () => expect(cases.length).toBeGreaterThan(1));

describe.each(cases)("$page:$line", (types, outcome) => {
  it("generates the output below it", async () => {
    const project = mkdtempSync(join(scratch, "project-"));
    const file = join(project, types.notes.api ?? "");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, types.text);
    const { code, stderr } = await runCli(project, ["generate", "crd", "paths=./..."]);
    if (outcome?.language === "text") {
      expect(stderr.trimEnd()).toBe(outcome.text.trimEnd());
      return;
    }
    expect(stderr).not.toMatch(/error|warning/);
    expect(code).toBe(0);
    expect(schemaPart(project, outcome)).toEqual(parse(outcome?.text ?? ""));
  });
});

/** Returns the part of the only schema that is set by a comment such as `<!-- schema: properties.spec -->`. */
function schemaPart(project: string, outcome: Block | undefined): unknown {
  const [file = ""] = readdirSync(join(project, "config/crd"));
  const crd = parse(readFileSync(join(project, "config/crd", file), "utf8"));
  const path = outcome?.notes.schema?.split(".") ?? [];
  return path.reduce((schema, key) => schema[key], crd.spec.versions[0].schema.openAPIV3Schema);
}
