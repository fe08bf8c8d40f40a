import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withoutSamples, withSample } from "./role-test.ts";

const template = readFileSync(join(import.meta.dirname, "../../../templates/init/test/role.test.ts.hbs"), "utf8");
/** Returns the scaffolded test. */
const scaffolded = (isNamespaced: boolean): string =>
  template
    .replace(/\{\{#if header\}\}\n[\s\S]*?\{\{\/if\}\}\n/, "")
    .replace(/\{\{#if namespaced\}\}\n([\s\S]*?)(?:\{\{else\}\}\n([\s\S]*?))?\{\{\/if\}\}\n/g, (_, one, other = "") =>
      isNamespaced ? one : other,
    );
const [left, two] = ["config/samples/a.yaml", "config/samples/b.yaml"];

describe.each([
  ["all namespaces", false],
  ["one namespace", true],
])("the test of a role for %s", (_, isNamespaced) => {
  const before = scaffolded(isNamespaced);
  const first = withoutSamples(before, new Map([[left, "too\nlong"]])) ?? "";
  const both = withoutSamples(first, new Map([[two, "too short"]])) ?? "";

  it("leaves out samples one after the other, each with a test to do", () => {
    expect(first).toContain(`const rejectedSamples = [\n  "${left}"\n];\n`);
    expect(first).toMatch(/createObjects\(\["config\/samples"\], \{ (namespace, )?except: rejectedSamples \}\)/);
    expect(first).toContain(`("creates ${left}, which the API server rejects: too\\nlong");\n});\n`);
    expect(both).toContain(`const rejectedSamples = [\n  "${left}",\n  "${two}"\n];\n`);
    expect(both.match(/"creates config/g)).toHaveLength(2);
    expect(withoutSamples(both, new Map([[two, "again"]]))).toBe(both);
  });

  it("has each sample again, in any order, also after a formatter", () => {
    expect(withSample(both, two)).toBe(first);
    expect(withSample(withSample(both, left), two)).toBe(before);
    const formatted = first
      .replace(/\[\n {2}("[^"]*")\n\]/, "[$1]")
      .replace(/^( {2}it\.\w+\()("creates .*")\);$/m, "$1\n    $2,\n  );");
    expect(formatted).not.toBe(first);
    expect(withSample(formatted, left)).toBe(before);
  });
});

it("reports a test of the user's own form", () => {
  const own = scaffolded(false).replace('createObjects(["config/samples"])', "createObjects(mine)");
  expect(withoutSamples(own, new Map([[left, "x"]]))).toBeUndefined();
  expect(withSample(own, left)).toBe(own);
});
