import { dataFile } from "../../data/data.ts";

/** The Go type of a value, as encoding/json sees it. */
export type GoType =
  | { form: "string" | "bool" | "int32" | "int64" | "float64" | "bytes" | "raw"; name: string }
  | { form: "special"; special: SpecialType; name: string }
  | { form: "pointer"; item: GoType; name: string }
  | { form: "list"; item: GoType; name: string }
  | { form: "map"; item: GoType; name: string }
  | { form: "struct"; struct: () => GoStruct; name: string };

/** Types that write their own JSON. */
export type SpecialType =
  | "Time"
  | "MicroTime"
  | "Duration"
  | "FieldsV1"
  | "Quantity"
  | "IntOrString"
  | "RawExtension"
  | "JSON"
  | "JSONSchemaPropsOrArray"
  | "JSONSchemaPropsOrBool"
  | "JSONSchemaPropsOrStringArray";

/** A field of a struct. Fields of embedded structs are among those of the struct around them. */
export interface GoField {
  json: string;
  /** The field as paths of errors name it: fields of an embedded struct follow the name of the struct. */
  path: string;
  type: GoType;
  omit: "empty" | "zero" | undefined;
  /** The number in protobuf; 0 if the field isn't encoded. */
  proto: number;
  wire: string;
  /** The position in the struct. */
  index: number;
}

/** A struct. */
export interface GoStruct {
  /** Package and name, as in Go's messages. */
  name: string;
  fields: readonly GoField[];
  byName: ReadonlyMap<string, GoField>;
  /** The fields by their numbers in protobuf. */
  byNumber: ReadonlyMap<number, GoField>;
  /** Embedded structs that are messages of their own in protobuf, by number. */
  embedded: ReadonlyMap<number, GoStruct>;
  /** The numbers of both in ascending order, in which Go writes them. */
  numbers: readonly number[];
}

interface RawField {
  json?: string;
  go: string;
  omit?: "empty" | "zero";
  proto?: number;
  wire?: string;
}

interface Data {
  types: Record<string, { name: string; fields: RawField[] }>;
  kinds: { group: string; version: string; kind: string; type: string }[];
}

const data = dataFile<Data>("go-types.json");
const structs = new Map<string, GoStruct>();
const types = new Map<string, GoType>();
const kinds = new Map<string, string>();

const specials = new Set<string>([
  "Time",
  "MicroTime",
  "Duration",
  "FieldsV1",
  "Quantity",
  "IntOrString",
  "RawExtension",
  "JSON",
  "JSONSchemaPropsOrArray",
  "JSONSchemaPropsOrBool",
  "JSONSchemaPropsOrStringArray",
]);

/** Returns the type with this text in the data. */
export function goType(text: string): GoType {
  let type = types.get(text);
  if (type === undefined) {
    type = parseType(text);
    types.set(text, type);
  }
  return type;
}

function parseType(text: string): GoType {
  const named = /^([\w.]+)=(.*)$/s.exec(text);
  if (named !== null) return { ...parseType(named[2] as string), name: named[1] as string };
  if (text.startsWith("*")) return derived("pointer", "*", text.slice(1));
  if (text.startsWith("[]")) return derived("list", "[]", text.slice(2));
  const map = /^map\[([\w.]+)\](.*)$/s.exec(text);
  if (map !== null) return derived("map", `map[${map[1]}]`, map[2] as string);
  if (specials.has(text)) {
    return {
      form: "special",
      special: text as SpecialType,
      name: text === "Quantity" ? "resource.Quantity" : `v1.${text}`,
    };
  }
  if (text.includes("."))
    return { form: "struct", struct: () => goStruct(text), name: data().types[text]?.name ?? text };
  switch (text) {
    case "bytes":
      return { form: "bytes", name: "[]uint8" };
    case "interface":
      return { form: "raw", name: "interface {}" };
    default:
      return { form: text as "string", name: text };
  }
}

function derived(form: "pointer" | "list" | "map", prefix: string, text: string): GoType {
  const item = goType(text);
  return { form, item, name: prefix + item.name };
}

/** Returns the struct with this key in the data. */
export function goStruct(key: string): GoStruct {
  let struct = structs.get(key);
  if (struct === undefined) {
    const { name, fields: raw } = data().types[key] as { name: string; fields: RawField[] };
    const embedded = new Map<number, GoStruct>();
    const flat = raw.flatMap((field): Omit<GoField, "index">[] => {
      if (field.json === undefined) {
        const inner = goStruct(field.go.replace(/^\*/, ""));
        if (field.proto) embedded.set(field.proto, inner);
        // Kind and version are read before all other fields, without their struct.
        if (inner.name.endsWith(".TypeMeta")) return [...inner.fields];
        const name = inner.name.slice(inner.name.lastIndexOf(".") + 1);
        return inner.fields.map((one) => ({ ...one, path: `${name}.${one.path}` }));
      }
      const { json, omit, proto = 0, wire = "" } = field;
      return [{ json, path: json, type: goType(field.go), omit, proto, wire }];
    });
    const fields = flat.map((field, index): GoField => ({ ...field, index }));
    const byName = new Map(fields.map((field) => [field.json, field]));
    const byNumber = new Map<number, GoField>();
    for (const { json = "", proto = 0 } of raw) {
      const field = byName.get(json);
      if (field !== undefined && proto > 0) byNumber.set(proto, field);
    }
    struct = {
      name,
      fields,
      byName,
      byNumber,
      embedded,
      numbers: [...byNumber.keys(), ...embedded.keys()].sort((one, other) => one - other),
    };
    structs.set(key, struct);
  }
  return struct;
}

/** Returns the struct of a kind; undefined for kinds that aren't built in. */
export function structOfKind(group: string, version: string, kind: string): GoStruct | undefined {
  if (kinds.size === 0)
    for (const entry of data().kinds) kinds.set(`${entry.group}/${entry.version}/${entry.kind}`, entry.type);
  const key = kinds.get(`${group}/${version}/${kind}`);
  return key === undefined ? undefined : goStruct(key);
}
