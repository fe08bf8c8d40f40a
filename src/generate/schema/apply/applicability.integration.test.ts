import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCrds } from "../../test-support/project.ts";

// The verdict of controller-gen v0.23.0 on each marker on each type; conformance/marker-cases creates the file.
const file = join(import.meta.dirname, "../../../../testdata/conformance/applicability.jsonl");
const [head = "", ...rest] = readFileSync(file, "utf8").trim().split("\n");
const { types } = JSON.parse(head) as { types: readonly string[] };
const rows = rest.map((line) => JSON.parse(line) as Row);

interface Row {
  readonly target: "field" | "type";
  readonly marker: string;
  readonly accepted: readonly string[];
}

/**
 * While controller-gen applies the markers of a field or of an alias, it doesn't know the type behind an import. The
 * generator does, and accepts these markers, because an error would be confusing.
 */
const knownHere = new Set(["Time", "Duration", "PullPolicy", "RawExtension", "LocalObjectReference", "LabelSelector"]);

const header = `// +groupName=example.com
import type { Bytes, Duration, Int32, IntOrString, JSONValue, KubernetesObject, Quantity, RawExtension, Time } from "@kubewright/runtime/api";
import type { LocalObjectReference, PullPolicy } from "@kubewright/runtime/api/core/v1";
import type { LabelSelector } from "@kubewright/runtime/api/meta/v1";
export interface Obj { a?: string; b?: string }
export type NamedString = string;
export type NamedInt = Int32;
export type NamedList = string[];
export type NamedMap = Record<string, string>;
`;

function declaration({ target, marker }: Row, type: string, name: string): string {
  // Each declaration has three lines.
  if (target === "field") return `export interface ${name} {\n  // +${marker}\n  f?: ${type} }\n`;
  if (type === "Obj") return `// +${marker}\nexport interface ${name} { a?: string; b?: string }\n\n`;
  return `// +${marker}\nexport type ${name} = ${type};\n\n`;
}

it("the generator accepts and rejects the same markers as controller-gen on each type", async () => {
  const cases = rows.flatMap((row) => types.map((type) => ({ row, type })));
  const names = cases.map((_, index) => `T${index}`);
  const kind = `export interface Thing extends KubernetesObject { ${names.map((name) => `${name}?: ${name}`).join("; ")} }\n`;
  const text = header + cases.map(({ row, type }, index) => declaration(row, type, `T${index}`)).join("") + kind;
  const { diagnostics } = await runCrds({ "api/v1/thing.ts": text }, { core: "real" });
  const above = header.split("\n").length;
  const refused = new Set(
    diagnostics.filter(({ severity }) => severity === "error").map(({ line }) => Math.floor((line - above) / 3)),
  );

  const wrong: string[] = [];
  for (const [index, { row, type }] of cases.entries()) {
    const ours = !refused.has(index);
    const theirs = row.accepted.includes(type);
    if (ours === theirs || (ours && knownHere.has(type))) continue;
    wrong.push(`${row.target} ${type} +${row.marker}: ${ours ? "taken here only" : "refused here only"}`);
  }
  expect(wrong).toEqual([]);
});
