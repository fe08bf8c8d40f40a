import { expect, it } from "vitest";
import { goModOf } from "../api-data/lock-modules.ts";
import { apiChanges } from "./api-changes.ts";
import { functionChanges } from "./function-changes.ts";
import { gateChanges, gatesOf } from "./gate-changes.ts";

const lines = (...text: string[]): string => `${text.join("\n")}\n`;

it("lists paths, types, fields and required fields that changed, but not texts", () => {
  const type = (properties: Record<string, Record<string, string>>, required: string[] = []) => ({
    description: "d",
    properties,
    required,
  });
  const before = {
    paths: { "/api/v1/a": {}, "/api/v1/b": {} },
    definitions: {
      "io.k8s.api.core.v1.A": type({ kept: { type: "string", description: "x" }, gone: {}, typed: { type: "string" } }),
      "io.k8s.api.core.v1.B": type({ x: {}, y: {} }, ["y"]),
      "io.k8s.api.core.v1.Gone": type({}),
    },
  };
  const after = {
    paths: { "/api/v1/a": {}, "/api/v1/c": {} },
    definitions: {
      "io.k8s.api.core.v1.A": type({
        kept: { type: "string", description: "y" },
        typed: { type: "integer" },
        more: {},
      }),
      "io.k8s.api.core.v1.B": type({ x: {}, y: {} }, ["x"]),
      "io.k8s.api.core.v1.New": type({}),
    },
  };
  expect(apiChanges(before, after)).toEqual([
    "path /api/v1/c: new",
    "path /api/v1/b: removed",
    "type core.v1.New: new",
    "type core.v1.Gone: removed",
    "type core.v1.A: field more is new",
    "type core.v1.A: field gone is removed",
    "type core.v1.A: field typed has another type",
    "type core.v1.B: x is required",
    "type core.v1.B: y isn't required anymore",
  ]);
});

it("lists feature gates with another default or stage, by the entry that applies to the minor version", () => {
  const gate = (name: string, ...entries: string[]): string =>
    lines(`\t${name}: {`, ...entries.map((entry) => `\t\t{Version: version.MustParse(${entry}},`), "\t},");
  const source = [
    gate(
      "Beta",
      '"1.36"), Default: false, PreRelease: featuregate.Alpha',
      '"1.38"), Default: true, PreRelease: featuregate.Beta',
    ),
    gate("genericfeatures.Same", '"1.30"), Default: true, PreRelease: featuregate.GA, LockToDefault: true'),
    gate("New", '"1.38"), Default: false, PreRelease: featuregate.Alpha'),
  ].join("\n");
  const old = `${source}\n${gate("Gone", '"1.30"), Default: true, PreRelease: featuregate.GA')}`;
  expect(gateChanges(gatesOf(old, "1.37"), gatesOf(source, "1.38"))).toEqual([
    "Beta: Beta, on (was Alpha, off)",
    "Gone: removed (was GA, on)",
    "New: new (Alpha, off)",
  ]);
});

it("lists functions and methods that changed, but not comments", () => {
  const go = (name: string, body: string, comment: string): string =>
    lines(`// ${comment}`, `func ${name}(a int) int {`, `\t// ${comment}`, `\treturn ${body}`, "}", "");
  const before =
    go("same", "1", "x") + go("changed", "1", "x") + go("gone", "1", "x") + go("(s *Store) method", "1", "");
  const after =
    go("same", "1", "y") + go("changed", "2", "x") + go("added", "1", "x") + go("(s *Store) method", "2", "");
  expect(functionChanges(before, after)).toEqual([
    "changed: changed",
    "gone: removed",
    "Store.method: changed",
    "added: new",
  ]);
  expect(functionChanges(undefined, go("added", "1", ""))).toEqual(["added: new"]);
});

it("locks the modules of another release, including those that are new", () => {
  const text = lines("require k8s.io/kubernetes v1.37.2", "", "replace (", "\tk8s.io/api => k8s.io/api v0.37.2", ")");
  expect(goModOf(text, "v1.38.0-beta.0", "v1.37.2", ["api", "apiextensions-api"])).toBe(
    lines(
      "require k8s.io/kubernetes v1.38.0-beta.0",
      "",
      "replace (",
      "\tk8s.io/api => k8s.io/api v0.38.0-beta.0",
      ")",
      "",
      "replace k8s.io/apiextensions-api => k8s.io/apiextensions-api v0.38.0-beta.0",
    ),
  );
  expect(goModOf("\tk8s.io/api v0.37.2\n", "v1.38.0", "v1.37.2", ["api"])).toBe("\tk8s.io/api v0.38.0\n");
});
