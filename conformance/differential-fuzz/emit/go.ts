import { coreTypes } from "../core-types.ts";
import { goQuoted } from "../invent/texts.ts";
import type { Case, Comments, Declaration, Field, Named, Package, Struct, Type } from "../model.ts";

const goModule = "fuzz.invalid/api";

/** Returns the Go files of a case, by path. */
export function goFiles(api: Case): Map<string, string> {
  return new Map(api.packages.map((each) => [`${api.id}/${each.path}/types.go`, goFile(api, each)]));
}

interface Context {
  readonly api: Case;
  readonly place: string;
  /** Import paths by local name. */
  readonly imports: Map<string, string>;
}

function goFile(api: Case, { path, markers, declarations }: Package): string {
  const context: Context = { api, place: path, imports: new Map() };
  const bodies = declarations.map((each) => declaration(context, each));
  const imports = [...context.imports].map(([name, from]) => `\t${name} "${from}"\n`).sort();
  return [
    ...markers.map((marker) => `// +${marker}\n`),
    `package ${path.replace(/.*\//, "")}\n\n`,
    imports.length > 0 ? `import (\n${imports.join("")})\n\n` : "",
    bodies.join("\n"),
  ].join("");
}

function declaration(context: Context, each: Declaration): string {
  return each.kind === "struct" ? struct(context, each) : named(context, each);
}

function struct(context: Context, each: Struct): string {
  const lines: string[] = [];
  if (each.root) {
    const meta = imported(context, "k8s.io/apimachinery/pkg/apis/meta/v1");
    const tag = each.root.metadataRequired ? "metadata" : "metadata,omitempty";
    lines.push(`\t${meta}.TypeMeta \`json:",inline"\`\n`, `\t${meta}.ObjectMeta \`json:"${tag}"\`\n\n`);
  }
  for (const embed of each.embeds) lines.push(`\t${goType(context, embed)} \`json:",inline"\`\n`);
  for (const [index, field] of each.fields.entries()) lines.push(goField(context, field, index), "\n");
  return `${comments(each, "")}type ${each.name} struct {\n${lines.join("")}}\n`;
}

function goField(context: Context, field: Field, index: number): string {
  const markers = [...field.markers];
  if (field.orNull) markers.push("nullable");
  if (field.union) markers.push(enumMarker(field.union));
  const tag = field.optional ? `${field.name},omitempty` : field.name;
  return `${comments({ ...field, markers }, "\t")}\tF${index} ${goType(context, field.type)} \`json:"${tag}"\`\n`;
}

function named(context: Context, each: Named): string {
  const markers = [...each.markers];
  if (each.values) markers.push(each.k8s ? "k8s:enum" : enumMarker(each.values));
  const head = `${comments({ ...each, markers }, "")}type ${each.name} ${goType(context, each.type)}\n`;
  if (!each.k8s || !each.values) return head;
  const values = each.values.map((value, index) => `\t${each.name}${index} ${each.name} = ${JSON.stringify(value)}\n`);
  return `${head}\nconst (\n${values.join("")})\n`;
}

/** Writes a space for the empty list, because Go would otherwise parse it as a missing list. */
function enumMarker(values: readonly (string | number)[]): string {
  return `kubebuilder:validation:Enum=${values.map((value) => (typeof value === "string" ? goQuoted(value) : value)).join(";")}`;
}

function goType(context: Context, type: Type): string {
  switch (type.kind) {
    case "scalar":
      return type.name === "bytes" ? "[]byte" : type.name;
    case "list":
      return `[]${goType(context, type.of)}`;
    case "map":
      return `map[${type.key ? goType(context, type.key) : "string"}]${goType(context, type.of)}`;
    case "pointer":
      return `*${goType(context, type.to)}`;
    case "core": {
      const core = coreTypes.get(type.name)!;
      return `${imported(context, core.goImport)}.${core.goName}`;
    }
    case "declared":
      if (type.package === context.place) return type.name;
      return `${imported(context, `${goModule}/${context.api.id}/${type.package}`)}.${type.name}`;
  }
}

function imported(context: Context, path: string): string {
  const name = path.split("/").slice(-2).join("").replaceAll(/\W/g, "");
  context.imports.set(name, path);
  return name;
}

function comments(each: Comments, indent: string): string {
  const line = (text: string): string => `${indent}//${text === "" ? "" : " "}${text}\n`;
  const doc = each.doc.map(line).join("");
  const markers = each.markers.map((marker) => line(`+${marker}`)).join("");
  const above = each.above.map((marker) => line(`+${marker}`)).join("");
  return `${above}${above ? "\n" : ""}${each.style === 2 ? markers + doc : doc + markers}`;
}
