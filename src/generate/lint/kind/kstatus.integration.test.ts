import { describe, expect, it } from "vitest";
import { runCrds } from "../../test-support/project.ts";
import type { KstatusSettings } from "./kstatus.ts";

const listed: KstatusSettings = { kinds: new Set(["example.com/v1/Thing"]), levels: {} };
const head = `// +groupName=example.com
import type { Int32, Int64, IntOrString, KubernetesObject } from "@kubewright/runtime/api";

`;
const subresource = "// +kubebuilder:subresource:status\n";
const initial = '  // +kubebuilder:default={"observedGeneration":-1}\n';
const condition = "{ type: string; status: string; reason?: string; message?: string }";

/** Lints a kind with a status and returns `line:column id` per finding; the first line is that of the first marker. */
async function lintStatus(status: string, settings?: KstatusSettings, markers = subresource): Promise<string[]> {
  const text = `${head}${markers}export interface Thing extends KubernetesObject {\n  spec?: {};\n${status}}\n`;
  const { places } = await runCrds({ "api/v1/thing.ts": text }, { lint: true, kstatus: settings });
  return places.map((place) => {
    const [, line, column, level, id] = /:(\d+):(\d+) (\w+) (\S+)$/.exec(place) ?? [];
    expect(level).toBe("warning");
    return `${Number(line) - 3}:${column} ${id}`;
  });
}

const conforming = `${initial}  status?: { conditions?: ${condition}[]; observedGeneration?: Int64 };\n`;

it.each([
  ["a kind in the list of PROJECT", listed],
  ["another kind", undefined],
])("nothing is reported for a conforming status of %s", async (_, settings) => {
  expect(await lintStatus(conforming, settings)).toEqual([]);
});

it("nothing is reported for a kind without a status", async () => {
  expect(await lintStatus("", listed)).toEqual([]);
});

describe("kstatus-observed-generation-type", () => {
  it.each(["string", "boolean", "IntOrString", "{ value?: Int32 }", "string[]", "Int64 | null"])(
    "is reported on the field if status.observedGeneration is %s",
    async (type) => {
      const found = await lintStatus(`  status?: { observedGeneration?: ${type} };\n`);
      expect(found).toEqual(["4:14 kstatus-observed-generation-type"]);
    },
  );

  it("is reported on the marker that allows null", async () => {
    const found = await lintStatus("  status?: {\n    // +nullable\n    observedGeneration?: Int64;\n  };\n");
    expect(found).toEqual(["5:8 kstatus-observed-generation-type"]);
  });

  it.each(["Int32", "Int64"])("isn't reported for %s", async (type) => {
    expect(await lintStatus(`  status?: { observedGeneration?: ${type} };\n`)).toEqual([]);
  });
});

describe("kstatus-conditions-type", () => {
  it.each([
    "string",
    "string[]",
    "Record<string, string>",
    `{ [type: string]: ${condition} }`,
    "{ type: string }[]",
    "{ status: string }[]",
    "{ type: string; status: boolean }[]",
    "{ type: Int32; status: string }[]",
    "{ type: string; status: string; message?: Int32 }[]",
    "{ type: string; status: string; reason?: string[] }[]",
  ])("is reported on the field if status.conditions is %s", async (type) => {
    const found = await lintStatus(`  status?: { conditions?: ${type} };\n`);
    expect(found).toEqual(["4:14 kstatus-conditions-type"]);
  });

  it("isn't reported for a list of objects with the strings type and status", async () => {
    expect(await lintStatus("  status?: { conditions?: { type: string; status: string }[] };\n")).toEqual([]);
  });

  it("isn't reported for lists of objects with unknown fields", async () => {
    const status = "  status?: { conditions?: { [field: string]: string }[] };\n";
    expect(await lintStatus(status)).toEqual([]);
  });
});

describe("kstatus-no-subresource", () => {
  it("is reported on the kind if observedGeneration exists without the subresource", async () => {
    const found = await lintStatus("  status?: { observedGeneration?: Int64 };\n", undefined, "");
    expect(found).toEqual(["1:1 kstatus-no-subresource"]);
  });

  it("isn't reported without observedGeneration", async () => {
    expect(await lintStatus(`  status?: { conditions?: ${condition}[] };\n`, undefined, "")).toEqual([]);
  });
});

/** A status for each of the lints that are off by default, and the position of its finding. */
const offByDefault: readonly (readonly [id: string, status: string, at: string])[] = [
  ["kstatus-no-observed-generation", `  status?: { conditions?: ${condition}[] };\n`, "3:14"],
  ["kstatus-no-conditions", "  status?: { phase?: string };\n", "3:3"],
  ["kstatus-no-initial-status", "  status?: { observedGeneration?: Int64 };\n", "3:3"],
];

describe.each(offByDefault)("%s", (id, status, at) => {
  const place = `${Number(at.split(":")[0]) + 1}:${at.split(":")[1]} ${id}`;

  it("is off by default", async () => {
    expect(await lintStatus(status)).toEqual([]);
  });

  it("is on for a kind in the list of PROJECT", async () => {
    expect(await lintStatus(status, listed)).toEqual([place]);
  });

  it("is off for another version of a kind in the list", async () => {
    const kinds = new Set(["example.com/v2/Thing", "other.example.com/v1/Thing", "example.com/v1/Other"]);
    expect(await lintStatus(status, { kinds, levels: {} })).toEqual([]);
  });

  it("is on for all kinds if PROJECT sets its level", async () => {
    expect(await lintStatus(status, { kinds: new Set(), levels: { [id]: "warning" } })).toEqual([place]);
  });
});

it.each(["{}", "", '{"phase":"New"}'])("a default of the status that is %j isn't an initial status", async (value) => {
  const marker = value === "" ? "" : `  // +kubebuilder:default=${value}\n`;
  const status = `${marker}  status?: { phase?: string; observedGeneration?: Int64 };\n`;
  const found = await lintStatus(status, listed);
  expect(found.map((place) => place.split(" ")[1])).toEqual(["kstatus-no-initial-status"]);
});
