import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asControllerGen } from "../../diagnostics/definitions/as-controller-gen.ts";
import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { descriptionLines } from "./comment.ts";
import { singular, TypeNames } from "./names.ts";
import { readCrd } from "./read.ts";
import { roundTrip } from "./test-support/round-trip.ts";

const testdata = join(import.meta.dirname, "../../../testdata");

function crd(path: string): CustomResourceDefinition {
  const read = readCrd(readFileSync(join(testdata, path), "utf8"), path);
  if ("message" in read) throw new Error(read.message);
  return read;
}

/** All files in testdata that contain exactly one CustomResourceDefinition with schemas. */
const definitions = readdirSync(testdata, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".yaml") && !path.includes("unsayable") && !path.startsWith("schemapatch/"))
  .filter((path) => !("message" in readCrd(readFileSync(join(testdata, path), "utf8"), path)))
  .sort();

describe("the types of a CRD generate the same CRD", () => {
  it("for at least ten CRDs", () => {
    expect(definitions.length).toBeGreaterThan(10);
  });

  it.each(definitions)("for %s", async (path) => {
    const { differences, notes, diagnostics } = await roundTrip(crd(path), asControllerGen);
    expect(diagnostics.filter((diagnostic) => diagnostic.startsWith("error"))).toEqual([]);
    // A difference must have a note.
    if (notes.length === 0) expect(differences).toEqual([]);
  });

  it("without notes for everything that types and markers can express", async () => {
    const { notes, differences } = await roundTrip(crd("from-crd/everything.yaml"), asControllerGen);
    expect({ notes, differences }).toEqual({ notes: [], differences: [] });
  });
});

it("typesFile uses core types if it recognizes them, also beside a kind of the same name", async () => {
  const captain = crd("generate/captain/myapp.example.com_captains.yaml");
  const { files } = await roundTrip(captain, asControllerGen);
  expect(files.get("v1")).toContain('import type { Condition } from "@kubewright/runtime/api/meta/v1";');
  expect(files.get("v1")).toContain("conditions?: Condition[];");
  const names = { ...captain.spec.names, kind: "Condition" };
  const other = await roundTrip({ ...captain, spec: { ...captain.spec, names } }, asControllerGen);
  expect(other.files.get("v1")).toContain("export interface ConditionKind extends");
  expect(other.files.get("v1")).toContain("conditions?: Condition[];");
});

it("typesFile returns a note with the path for everything that types can't express", async () => {
  const { notes } = await roundTrip(crd("from-crd/unsayable.yaml"), asControllerGen);
  expect(notes).toEqual([
    "spec.names.listKind is Odds; it becomes OddList",
    "spec.conversion calls a webhook; scaffold create webhook --conversion makes one",
    "spec.preserveUnknownFields is true; unknown fields will be dropped",
    "v1: .spec has oneOf",
    "v1: .spec.ghost is required and not described",
    "v1: .spec.a has not",
    "v1: .spec.b[] has default",
    "v1: .spec.c has additionalProperties",
    "v1: .spec.d has the default null",
    "v1: .metadata has properties",
  ]);
});

describe("the comment of a description", () => {
  it("keeps a line that begins with a placeholder", () => {
    expect(descriptionLines("<name>-<index>")).toEqual(["/** <name>-<index> */"]);
  });

  it.each([
    ["a line", "One.", ["/** One. */"]],
    ["lines", "One.\n\n  two", ["/**", " * One.", " *", " *   two", " */"]],
    ["the end of a comment", "a */ b", ["// a */ b"]],
    ["a tag", "a\n@b", ["// a", "// @b"]],
    ["a marker", "a\n+b", ["/**", " * a", " * \\+b", " */"]],
    ["a TODO", "TODO: b", ["/**  TODO: b */"]],
    ["nothing", undefined, []],
  ])("keeps %s", (_, text, lines) => {
    expect(descriptionLines(text)).toEqual(lines);
  });
});

it("singular returns the singular of a name", () => {
  const names = ["policies", "classes", "labels", "status", "Address", "data"];
  expect(names.map(singular)).toEqual(["policy", "class", "label", "statusItem", "AddressItem", "dataItem"]);
});

it("TypeNames returns each name once", () => {
  const names = new TypeNames(["FooSpec"]);
  expect([names.take("FooSpec"), names.take("FooSpec"), names.take("Foo")]).toEqual(["FooSpec2", "FooSpec3", "Foo"]);
});
