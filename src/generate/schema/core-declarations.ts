// Declarations of the built-in API types, for the type checker.
import { aboutCoreType, corePackageOf } from "./core-types.ts";
import { corePackage } from "./core-types-data.ts";
import type { JSONSchema } from "./model/json-schema.ts";

/** Types of the runtime's API module that are in the tables of meta/v1. */
const metadata = ["TypeMeta", "ListMeta", "ObjectMeta", "OwnerReference", "ManagedFieldsEntry", "ShardInfo"];
const scalarModule = "@kubewright/runtime/api";
const metaModule = `${scalarModule}/meta/v1`;

/** Go types that have a different name in TypeScript, or none. */
const others: Readonly<Record<string, string>> = {
  "k8s.io/apimachinery/pkg/api/resource.Quantity": "Quantity",
  "k8s.io/apimachinery/pkg/util/intstr.IntOrString": "IntOrString",
  "k8s.io/apimachinery/pkg/runtime.RawExtension": "RawExtension",
  "k8s.io/apimachinery/pkg/types.UID": "UID",
  "k8s.io/apimachinery/pkg/apis/meta/v1.Time": "Time",
  "k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime": "MicroTime",
  "k8s.io/apimachinery/pkg/apis/meta/v1.Duration": "Duration",
};

/**
 * Returns the declarations of a module of the runtime's API, without its scalars, which have a special form for the checker.
 *
 * @returns undefined if the runtime has no such module
 */
export function coreDeclarations(specifier: string): string | undefined {
  if (specifier === "@kubewright/runtime") return `export * from "${scalarModule}";\n`;
  if (specifier === scalarModule) {
    return `export { ${metadata.join(", ")} } from "${metaModule}";
import type { ListMeta, ObjectMeta, TypeMeta } from "${metaModule}";
export interface KubernetesObject extends TypeMeta { metadata?: ObjectMeta }
export interface KubernetesList<T extends KubernetesObject> extends TypeMeta { metadata: ListMeta; items: T[] }
`;
  }
  const goPackage = corePackageOf(specifier);
  const tables = goPackage === undefined ? undefined : corePackage(goPackage);
  if (goPackage === undefined || !tables) return undefined;
  const names = Object.keys(tables.schemas).filter((name) => !(`${goPackage}.${name}` in others));
  const bases = new Map<string, string>();
  const types = names.map((name) => {
    const schema = aboutCoreType(goPackage, name)?.shape ?? tables.schemas[name] ?? {};
    return schema.properties || schema.allOf
      ? `export interface ${name} ${heritage(schema, bases)}${members(schema)}\n`
      : `export type ${name} = ${typeText(schema)};\n`;
  });
  const scalars = [...new Set(Object.values(others)), "Int32", "Int64", "Bytes"];
  const header = `import type { ${scalars.join(", ")} } from "${scalarModule}";\n`;
  const aliases = [...bases].map(([text, name]) => `type ${name} = ${text};\n`);
  const again = specifier === metaModule ? "export type { Duration, MicroTime, Time };\n" : "";
  return [header, again, ...aliases, ...types].join("");
}

/** Returns the `extends` clause. An interface can't extend `import("…").Name`, but it can extend an alias of it. */
function heritage(schema: JSONSchema, bases: Map<string, string>): string {
  const embedded = (schema.allOf ?? []).flatMap(({ $ref }) => ($ref === undefined ? [] : refText($ref)));
  const names = embedded.map((text) => {
    if (!text.startsWith("import(")) return text;
    const name = bases.get(text) ?? `$base${bases.size}`;
    bases.set(text, name);
    return name;
  });
  return names.length === 0 ? "" : `extends ${names.join(", ")} `;
}

function members({ properties = {}, required = [] }: JSONSchema): string {
  const lines = Object.entries(properties).map(
    ([name, schema]) => `  ${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeText(schema)};`,
  );
  return `{\n${lines.join("\n")}\n}`;
}

function typeText(schema: JSONSchema): string {
  if (schema.$ref !== undefined) return refText(schema.$ref);
  if (schema["x-kubernetes-int-or-string"]) return "IntOrString";
  switch (schema.type) {
    case "array":
      return `Array<${typeText(schema.items ?? {})}>`;
    case "object":
      if (schema.properties) return members(schema);
      return typeof schema.additionalProperties === "object"
        ? `{ [key: string]: ${typeText(schema.additionalProperties)} }`
        : "RawExtension";
    case "string":
      return schema.format === "byte" ? "Bytes" : "string";
    case "integer":
      return schema.format === "int32" ? "Int32" : schema.format === "int64" ? "Int64" : "number";
    case "number":
    case "boolean":
      return schema.type;
    default:
      return "unknown";
  }
}

/** Returns the TypeScript type of a reference: `Name` for the same package, `package.Name` for another. */
function refText(ref: string): string {
  const dot = ref.lastIndexOf(".");
  const name = ref.slice(dot + 1);
  const other = others[dot < 0 ? `k8s.io/apimachinery/pkg/apis/meta/v1.${name}` : ref];
  if (other !== undefined) return other;
  if (dot < 0) return name;
  const [, group, version] =
    /^k8s\.io\/(?:api|apimachinery\/pkg\/apis)\/([a-z0-9]+)\/([a-z0-9]+)$/.exec(ref.slice(0, dot)) ?? [];
  return group === undefined ? "unknown" : `import("${scalarModule}/${group}/${version}").${name}`;
}
