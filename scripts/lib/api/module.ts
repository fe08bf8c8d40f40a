// Generates one module of the runtime's API, such as `apps/v1.ts`, from the tables of its Go package.
import {
  type AboutType,
  handWritten,
  metaExports,
  moduleOf,
  notOnTheWire,
  ownJson,
  splitReference,
  type TypePackage,
  type TypePackages,
  type TypeSchema,
} from "./data.ts";
import { comment, type Imports, namedType, quote, type TypeContext, typeText } from "./types.ts";

const metaModule = "meta/v1";

/** The module that is generated. */
interface ModuleContext extends TypeContext {
  readonly pkg: TypePackage;
  readonly module: string;
}

/**
 * Returns the text of the module for a Go package.
 *
 * @throws Error if the package isn't one of an API group
 */
export function moduleText(goPackage: string, packages: TypePackages): string {
  const pkg = packages.get(goPackage);
  const module = moduleOf(goPackage);
  if (pkg === undefined || module === undefined) throw new Error(`${goPackage} has no module in the runtime's API`);
  const names = Object.keys(pkg.schemas).filter((name) => {
    const key = `${goPackage}.${name}`;
    return !handWritten.has(key) && !notOnTheWire.has(key);
  });
  const imports = importer(goPackage, new Set([...names, "GroupVersion"]));
  const declarations = names.map((name) => declaration(name, { goPackage, packages, pkg, module, imports }));
  const kinds = declarations.some((text) => text.includes("GroupVersion.kind<"));
  const head = [
    "// Made by scripts/build-api.ts from data/core-types; text by the Kubernetes authors, Apache-2.0 (see NOTICE).",
    ...(kinds ? ['import { groupVersion, type Kind } from "../kind.ts";'] : []),
    ...imports.lines(),
    ...(module === metaModule ? [`export type { ${metaExports.join(", ")} } from "../index.ts";`] : []),
  ].join("\n");
  const { group, version } = pkg;
  const groupVersion = `const GroupVersion = /* @__PURE__ */ groupVersion(${quote(group)}, ${quote(version)});`;
  return `${[head, ...(kinds ? [groupVersion] : []), ...declarations].join("\n\n")}\n`;
}

/** Collects the imports of a module. An import whose name the module declares itself gets an alias. */
function importer(goPackage: string, own: ReadonlySet<string>): Imports {
  const byModule = new Map<string, Map<string, string>>();
  return {
    goPackage,
    use(module, name) {
      const local = own.has(name) ? `${module.replace(/\W/g, "_")}_${name}` : name;
      const names = byModule.get(module) ?? new Map<string, string>();
      byModule.set(module, names.set(name, local));
      return local;
    },
    lines: () =>
      [...byModule]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([module, names]) => {
          const list = [...names].sort().map(([name, local]) => (name === local ? name : `${name} as ${local}`));
          return `import type { ${list.join(", ")} } from "../${module}.ts";`;
        }),
  };
}

function declaration(name: string, context: ModuleContext): string {
  const { goPackage, pkg, module, imports } = context;
  const schema = pkg.schemas[name] ?? {};
  const about = pkg.about[name] ?? {};
  const doc = comment(schema.description ?? about.doc, "");
  const json = ownJson.get(`${goPackage}.${name}`);
  if (json !== undefined) return `${doc}export type ${name} = ${json};`;
  if (about.marshals) {
    throw new Error(`${goPackage}.${name} writes its own JSON: say in scripts/lib/api/data.ts what it looks like`);
  }
  if (about.list !== undefined && pkg.about[about.list]?.kind) {
    return `${doc}export type ${name} = ${imports.use("index", "KubernetesList")}<${about.list}>;`;
  }
  if (schema.type !== "object" || schema.additionalProperties) {
    return `${doc}export type ${name} = ${namedType(schema, about.values, context)};`;
  }
  // The kinds of meta/v1 are part of all groups, so they have no apiVersion.
  const isServed = about.kind !== undefined && module !== metaModule;
  const text = `${doc}${interfaceText(name, schema, { isKind: about.kind !== undefined, isServed }, context)}`;
  return isServed ? `${text}\n${kindValue(name, about.kind ?? {})}` : text;
}

function interfaceText(
  name: string,
  schema: TypeSchema,
  { isKind, isServed }: { isKind: boolean; isServed: boolean },
  context: ModuleContext,
): string {
  const heritage = (schema.allOf ?? []).flatMap((embedded) => {
    const target = splitReference(embedded.$ref ?? "", context.goPackage);
    const isTypeMeta = handWritten.get(`${target.goPackage}.${target.name}`) === "TypeMeta";
    if (isTypeMeta && isKind) return [context.imports.use("index", "KubernetesObject")];
    const base = typeText(embedded, context);
    return isTypeMeta ? [`Partial<${base}>`] : [base];
  });
  const required = new Set(schema.required ?? []);
  const { group, version } = context.pkg;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const literals = isServed ? [`  apiVersion: ${quote(apiVersion)};`, `  kind: ${quote(name)};`] : [];
  const ownFields = Object.entries(schema.properties ?? {})
    .filter(([field]) => !(isKind && field === "metadata"))
    .map(([field, type]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(field) ? field : quote(field);
      return `${comment(type.description, "  ")}  ${key}${required.has(field) ? "" : "?"}: ${typeText(type, context)};`;
    });
  const fields = [...literals, ...ownFields];
  const head = `export interface ${name}${heritage.length > 0 ? ` extends ${heritage.join(", ")}` : ""}`;
  return fields.length > 0 ? `${head} {\n${fields.join("\n")}\n}` : `${head} {}`;
}

function kindValue(name: string, { plural, scope }: NonNullable<AboutType["kind"]>): string {
  const options =
    plural === undefined || scope === undefined ? "" : `, { plural: ${quote(plural)}, scope: ${quote(scope)} }`;
  return `export const ${name}: Kind<${name}> = /* @__PURE__ */ GroupVersion.kind<${name}>(${quote(name)}${options});`;
}
