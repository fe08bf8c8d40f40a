import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defineMarkers } from "../markers/definitions/define.ts";
import { markerRegistry } from "../markers/markers.ts";
import { optionRegistry } from "../markers/options.ts";
import { helpOn } from "./categories.ts";
import { helpText, markerHelp, optionHelp } from "./index.ts";

const some = helpOn(
  defineMarkers([
    {
      name: "kubebuilder:thing",
      targets: ["type"],
      category: "Things",
      summary: "Makes a thing.",
      details: "Things are made once.",
      fields: {
        size: { type: "int", optional: true, summary: "Its size.", details: "In millimetres." },
        names: { type: "[]string", summary: "Its names." },
      },
    },
    { name: "colour", targets: ["field", "type"], category: "Things", summary: "Its colour.", value: "string" },
    { name: "round", targets: ["field"], category: "Shapes", summary: "It is round.", deprecated: "shape" },
    { name: "square", targets: ["package"], category: "Shapes", summary: "It is square.", deprecated: true },
    { name: "hidden", targets: ["field"], category: "", summary: "Only JSON knows it." },
  ]),
);

it("the details of markers contain examples with the marker itself", () => {
  const all = markerHelp([]).flatMap(({ markers }) => markers);
  const withExample = all.filter(({ details = "" }) => details.includes("Example: `"));
  expect(withExample.filter(({ name }) => name.includes(":items:")).length).toBeGreaterThan(5);
  const wrong = withExample.filter(({ name, details = "" }) => !details.includes(`+${name}`));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

describe("helpText", () => {
  it("prints a line per marker in columns at level 1", () => {
    expect(helpText(some, 1)).toBe(
      `Shapes

+round   field    (use shape) It is round.
+square  package  (deprecated) It is square.


Things

+colour=<string>                                  type   Its colour.
+colour=<string>                                  field  Its colour.
+kubebuilder:thing:names=<[]string>[,size=<int>]  type   Makes a thing.
`,
    );
  });

  it("prints the arguments at level 2", () => {
    expect(helpText(some.slice(2), 2)).toBe(`Things

+colour type
    =<string>  Its colour.

+colour field
    =<string>  Its colour.

+kubebuilder:thing type
    Makes a thing.
    names=<[]string>  Its names.
    [size=<int>]      Its size.
`);
  });

  it("prints all details at level 3", () => {
    expect(helpText(some.slice(2), 3)).toContain(`+kubebuilder:thing type
    Makes a thing.
    Things are made once.

    names=<[]string>
        Its names.
    [size=<int>]
        Its size.
        In millimetres.
`);
  });
});

it("marker help has the structure of controller-gen's JSON", () => {
  expect(some[2]).toEqual({
    category: "Things",
    markers: [
      {
        name: "colour",
        target: "type",
        category: "Things",
        summary: "Its colour.",
        fields: [{ name: "", type: "string", optional: false, summary: "Its colour." }],
      },
      expect.objectContaining({ name: "colour", target: "field" }),
      {
        name: "kubebuilder:thing",
        target: "type",
        category: "Things",
        summary: "Makes a thing.",
        details: "Things are made once.",
        fields: [
          {
            name: "names",
            type: "slice",
            itemType: { type: "string", optional: false },
            optional: false,
            summary: "Its names.",
          },
          { name: "size", type: "int", optional: true, summary: "Its size.", details: "In millimetres." },
        ],
      },
    ],
  });
  expect(some[1]?.markers.map(({ deprecatedInFavorOf }) => deprecatedInFavorOf)).toEqual(["shape", ""]);
});

describe("markerHelp", () => {
  const categories = (...generators: Parameters<typeof markerHelp>[0]) =>
    markerHelp(generators).map(({ category, markers }) => [category, markers.length]);

  // These are controller-gen's numbers.
  it.each([
    ["crd", { "": 1, CRD: 16, "CRD processing": 18, "CRD validation": 99 }],
    ["schemapatch", { "": 1, CRD: 16, "CRD processing": 18, "CRD validation": 99 }],
    ["rbac", { RBAC: 1 }],
    ["webhook", { Webhook: 2 }],
    ["policy", { Policy: 2 }],
    ["object", { object: 6 }],
    ["applyconfiguration", { "": 1, CRD: 16, "CRD processing": 18, "CRD validation": 99, apply: 3 }],
  ] as const)("returns the markers of %s", (name, expected) => {
    expect(Object.fromEntries(categories(name))).toEqual(expected);
  });

  it("returns all markers of the registry for all generators together, and for none", () => {
    const file = new URL("../../../testdata/conformance/registry.json", import.meta.url);
    const { markers, options } = JSON.parse(readFileSync(file, "utf8"));
    const count = (help: readonly { markers: readonly unknown[] }[]) => help.flatMap((each) => each.markers).length;
    const own = markerRegistry.definitions.filter(({ extension }) => extension);
    expect(count(markerHelp([])) - own.length).toBe(markers.length);
    expect(categories("rbac", "object", "webhook", "crd", "applyconfiguration", "policy")).toEqual(categories());
    const extensions = optionRegistry.definitions.filter(({ extension }) => extension);
    expect(count(optionHelp()) - extensions.length).toBe(options.length);
  });
});
