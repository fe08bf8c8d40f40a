// semanticEqual contains the names of fields with quantities. This test compares them with the types of Kubernetes.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { semanticEqual } from "./equal.ts";

interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
}

const quantity = "k8s.io/apimachinery/pkg/api/resource.Quantity";
/** Fields that contain quantities in some types and other values in others. They are compared exactly. */
const ambiguous = new Set(["value", "default", "capacity", "min", "max", "resources"]);

const schemas = new Map<string, Schema & { group?: string }>();
const [release = ""] = readdirSync(directory());
for (const file of readdirSync(directory(release))) {
  const { packages } = JSON.parse(readFileSync(`${directory(release)}/${file}`, "utf8"));
  for (const [name, { group, schemas: its }] of Object.entries<{ group?: string; schemas: Record<string, Schema> }>(
    packages,
  )) {
    for (const [type, schema] of Object.entries(its)) schemas.set(`${name}.${type}`, { ...schema, group });
  }
}

function directory(name = ""): string {
  return fileURLToPath(new URL(`../../../../data/core-types/${name}`, import.meta.url));
}

/** Returns the content of a field after type references are resolved: a quantity, text, or a map of one of them. */
function contentOf(schema: Schema | undefined): string {
  if (schema?.$ref === quantity) return "quantity";
  const named = schema?.$ref === undefined ? schema : schemas.get(schema.$ref);
  if (named?.additionalProperties) return `map of ${contentOf(named.additionalProperties)}`;
  if (named !== schema && named?.type !== "object") return contentOf(named);
  return named?.type === "string" ? "text" : "other";
}

const fields = [...schemas.values()].flatMap(({ group, properties = {} }) =>
  Object.entries(properties).map(([name, schema]) => ({ group: group ?? "", name, content: contentOf(schema) })),
);
const groups = new Set(fields.filter(({ content }) => content.includes("quantity")).map(({ group }) => group));
const isEqual = ({ group, name }: { group: string; name: string }, wrap: (text: string) => unknown): boolean =>
  semanticEqual(
    { apiVersion: `${group}/v1`, spec: { [name]: wrap("1") } },
    { apiVersion: `${group}/v1`, spec: { [name]: wrap("1000m") } },
  );
const wrong = (content: string, expected: boolean, wrap: (text: string) => unknown): string[] =>
  fields
    .filter((field) => field.content === content && groups.has(field.group) && !ambiguous.has(field.name))
    .filter((field) => isEqual(field, wrap) !== expected)
    .map(({ group, name }) => `${group} ${name}`);

describe("K10: fields with quantities and text in built-in kinds", () => {
  it("are found in the types", () => {
    expect(fields.filter(({ content }) => content.includes("quantity")).length).toBeGreaterThan(50);
  });

  it("are compared by value if they contain quantities", () => {
    expect(wrong("quantity", true, (text) => text)).toEqual([]);
    expect(wrong("map of quantity", true, (text) => ({ cpu: text }))).toEqual([]);
  });

  it("are compared exactly if they contain text", () => {
    expect(wrong("text", false, (text) => text)).toEqual([]);
    expect(wrong("map of text", false, (text) => ({ sizeLimit: text, cpu: text }))).toEqual([]);
  });
});
