import { coreTypes } from "../core-types.ts";
import type { Case, Declaration, Field, Named, Package, ScalarName, Struct, Type } from "../model.ts";
import { typeScriptComments } from "./comments.ts";

const api = "@kubewright/runtime/api";

const scalars: Readonly<Record<ScalarName, string>> = {
  string: "string",
  bool: "boolean",
  int: "number",
  int8: "number",
  int16: "number",
  uint16: "number",
  int32: "Int32",
  uint32: "Int32",
  int64: "Int64",
  uint64: "Int64",
  float32: "Float32",
  float64: "Float64",
  bytes: "Bytes",
};

/** Returns the TypeScript files of a case, by path. */
export function typeScriptFiles(api: Case): Map<string, string> {
  return new Map(api.packages.map((each) => [`${api.id}/${each.path}/types.ts`, typeScriptFile(each)]));
}

interface Context {
  readonly place: string;
  /** Imports of each module: `Name` or `Name as Other`. */
  readonly imports: Map<string, Set<string>>;
}

function typeScriptFile({ path, markers, declarations }: Package): string {
  const context: Context = { place: path, imports: new Map() };
  const bodies = declarations.map((each) => declaration(context, each));
  const imports = [...context.imports].map(([module, names]) => {
    return `import type { ${[...names].sort().join(", ")} } from "${module}";\n`;
  });
  const head = markers.map((marker) => `// +${marker}\n`).join("");
  return `${head}\n${imports.join("")}\n${bodies.join("\n")}`;
}

function declaration(context: Context, each: Declaration): string {
  return each.kind === "struct" ? struct(context, each) : named(context, each);
}

function named(context: Context, each: Named): string {
  const markers = each.k8s ? [...each.markers, "k8s:enum"] : each.markers;
  const type = each.values ? each.values.map((value) => JSON.stringify(value)).join(" | ") : write(context, each.type);
  return `${typeScriptComments({ ...each, markers }, "")}export type ${each.name} = ${type};\n`;
}

function struct(context: Context, each: Struct): string {
  const comments = typeScriptComments(each, "");
  const parents = each.embeds.map((embed) => write(context, embed));
  if (each.root) parents.unshift(imported(context, api, "KubernetesObject"));
  const members = each.fields.map((field) => member(context, field));
  if (each.root?.metadataRequired) members.unshift(`  metadata: ${imported(context, api, "ObjectMeta")};\n`);
  const body = `{\n${members.join("\n")}}`;
  const plain = each.embeds.length === 0 && !each.root && members.length > 0;
  switch (each.form) {
    case "alias":
    case "intersection": {
      const cut = each.form === "alias" ? members.length : Math.ceil(members.length / 2);
      const parts = [members.slice(0, cut), members.slice(cut)].filter((part) => part.length > 0);
      const types = [...parents, ...parts.map((part) => `{\n${part.join("\n")}}`)];
      // An alias of a single type would also take its description, unlike an embedding.
      if (types.length === 1 && parts.length === 0) break;
      return `${comments}export type ${each.name} = ${types.join(" & ") || "{}"};\n`;
    }
    case "class":
      if (plain) return `${comments}export declare class ${each.name} ${body}\n`;
      break;
    case "constructor":
      if (plain && each.fields.every(({ name }) => isParameterName(name))) return constructed(context, each, comments);
      break;
    case "merged":
      if (plain) return merged(each, comments, members);
      break;
    case "pick":
    case "omit":
    case "mapped":
      if (plain) return utility(each, comments, members);
      break;
    case "namespace":
      if (!plain || hasRules(each)) break;
      return `namespace In${each.name} {\n  export interface Of ${body}\n}\n\n${comments}export type ${each.name} = In${each.name}.Of;\n`;
    case "generic":
      if (plain && !hasRules(each)) return generic(context, each, comments);
      break;
  }
  const heritage = parents.length > 0 ? ` extends ${parents.join(", ")}` : "";
  return `${comments}export interface ${each.name}${heritage} ${body}\n`;
}

/** Writes the struct as a part of a bigger one. */
function utility(each: Struct, comments: string, members: readonly string[]): string {
  const whole = `interface Whole${each.name} {\n  inTheWholeOnly: number;\n\n${members.join("\n")}}\n\n`;
  const names = each.fields.map((field) => JSON.stringify(field.name)).join(" | ");
  const types = {
    pick: `Pick<Whole${each.name}, ${names}>`,
    omit: `Omit<Whole${each.name}, "inTheWholeOnly">`,
    mapped: `{ [K in keyof Whole${each.name} as Exclude<K, "inTheWholeOnly">]: Whole${each.name}[K] }`,
  };
  return `${whole}${comments}export type ${each.name} = ${types[each.form as keyof typeof types]};\n`;
}

/** Writes the struct as two interfaces with the same name. The first one has the comments. */
function merged(each: Struct, comments: string, members: readonly string[]): string {
  const cut = Math.ceil(members.length / 2);
  const [first, second] = [members.slice(0, cut), members.slice(cut)].map((part) => `{\n${part.join("\n")}}`);
  return `${comments}export interface ${each.name} ${first}\n\nexport interface ${each.name} ${second}\n`;
}

/** Whether a name is a valid parameter name: not reserved, and without quotes. */
function isParameterName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name) && !/^(?:null|true)$/.test(name);
}

/** Writes the struct as a class whose properties are the constructor's parameters. */
function constructed(context: Context, each: Struct, comments: string): string {
  const parameters = each.fields.map((field) => {
    return member(context, field)
      .replace(/^( {2})(?=[A-Za-z_$][^\n]*;\n$)/m, "$1public ")
      .replace(/;\n$/, ",\n");
  });
  return `${comments}export class ${each.name} {\n  constructor(\n${parameters.join("\n")}  ) {}\n}\n`;
}

/**
 * Whether the struct has rules. On an alias of a generic type, they come before those of the type, and on a struct after
 * them.
 */
function hasRules(each: Struct): boolean {
  return [...each.markers, ...each.above].some((marker) => /OneOf|XValidation/.test(marker));
}

/** Writes the struct as an instance of a generic type, whose type parameter is the type of the first field. */
function generic(context: Context, each: Struct, comments: string): string {
  const [first, ...others] = each.fields;
  if (!first) return "";
  const members = [
    member(context, first, first.union ? undefined : "T"),
    ...others.map((field) => member(context, field)),
  ];
  const argument = write(context, first.type);
  return `interface Of${each.name}<T> {\n${members.join("\n")}}\n\n${comments}export type ${each.name} = Of${each.name}<${argument}>;\n`;
}

function member(context: Context, field: Field, text?: string): string {
  const name = /^[A-Za-z_$][\w$]*$/.test(field.name) ? field.name : JSON.stringify(field.name);
  const type =
    text ?? (field.union ? field.union.map((value) => JSON.stringify(value)).join(" | ") : write(context, field.type));
  // `| null` has no effect on a type that isn't visited.
  const visited = !field.markers.some((marker) => /\bSchemaless\b/.test(marker));
  const nullable = field.orNull && visited ? " | null" : "";
  const said = field.orNull && !visited ? { ...field, markers: [...field.markers, "nullable"] } : field;
  return `${typeScriptComments(said, "  ")}  ${name}${field.optional ? "?" : ""}: ${type}${nullable};\n`;
}

function write(context: Context, type: Type): string {
  switch (type.kind) {
    case "scalar": {
      const name = scalars[type.name];
      return /^[A-Z]/.test(name) ? imported(context, api, name) : name;
    }
    case "list": {
      const item = write(context, type.of);
      return item.length % 2 === 0 ? `${item}[]` : `Array<${item}>`;
    }
    case "map":
      if (type.key) return `Record<${write(context, type.key)}, ${write(context, type.of)}>`;
      return `{ [key: string]: ${write(context, type.of)} }`;
    case "pointer":
      return write(context, type.to);
    case "core": {
      const core = coreTypes.get(type.name)!;
      return imported(context, core.module, core.name);
    }
    case "declared":
      if (type.package === context.place) return type.name;
      return imported(context, relative(context.place, type.package), type.name, type.package);
  }
}

function relative(from: string, to: string): string {
  return `${"../".repeat(from.split("/").length)}${to}/types.ts`;
}

/** Adds an import and returns the local name. Types of other packages get a name that no local type has. */
function imported(context: Context, module: string, name: string, of = ""): string {
  const local = of === "" ? name : `${of.replaceAll(/\W/g, "")}${name}`;
  const names = context.imports.get(module) ?? new Set();
  names.add(local === name ? name : `${name} as ${local}`);
  context.imports.set(module, names);
  return local;
}
