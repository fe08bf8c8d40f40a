import { dataFile, perVersion } from "../../data/data.ts";
import { type KubernetesVersion, newestVersion } from "../../data/versions.ts";

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

/** The types of a version of Kubernetes. */
class GoTypes {
  readonly #data: Data;
  readonly #structs = new Map<string, GoStruct>();
  readonly #types = new Map<string, GoType>();
  readonly #kinds: ReadonlyMap<string, string>;

  constructor(data: Data) {
    this.#data = data;
    this.#kinds = new Map(data.kinds.map(({ group, version, kind, type }) => [`${group}/${version}/${kind}`, type]));
  }

  #type(text: string): GoType {
    let type = this.#types.get(text);
    if (type === undefined) {
      type = this.#parseType(text);
      this.#types.set(text, type);
    }
    return type;
  }

  #parseType(text: string): GoType {
    const named = /^([\w.]+)=(.*)$/s.exec(text);
    if (named !== null) return { ...this.#parseType(named[2] as string), name: named[1] as string };
    if (text.startsWith("*")) return this.#derived("pointer", "*", text.slice(1));
    if (text.startsWith("[]")) return this.#derived("list", "[]", text.slice(2));
    const map = /^map\[([\w.]+)\](.*)$/s.exec(text);
    if (map !== null) return this.#derived("map", `map[${map[1]}]`, map[2] as string);
    if (specials.has(text)) {
      return {
        form: "special",
        special: text as SpecialType,
        name: text === "Quantity" ? "resource.Quantity" : `v1.${text}`,
      };
    }
    if (text.includes("."))
      return { form: "struct", struct: () => this.struct(text), name: this.#data.types[text]?.name ?? text };
    switch (text) {
      case "bytes":
        return { form: "bytes", name: "[]uint8" };
      case "interface":
        return { form: "raw", name: "interface {}" };
      default:
        return { form: text as "string", name: text };
    }
  }

  #derived(form: "pointer" | "list" | "map", prefix: string, text: string): GoType {
    const item = this.#type(text);
    return { form, item, name: prefix + item.name };
  }

  /** Returns the struct with this key in the data. */
  struct(key: string): GoStruct {
    let struct = this.#structs.get(key);
    if (struct === undefined) {
      const { name, fields: raw } = this.#data.types[key] as { name: string; fields: RawField[] };
      const embedded = new Map<number, GoStruct>();
      const flat = raw.flatMap((field): Omit<GoField, "index">[] => {
        if (field.json === undefined) {
          const inner = this.struct(field.go.replace(/^\*/, ""));
          if (field.proto) embedded.set(field.proto, inner);
          // Kind and version are read before all other fields, without their struct.
          if (inner.name.endsWith(".TypeMeta")) return [...inner.fields];
          const name = inner.name.slice(inner.name.lastIndexOf(".") + 1);
          return inner.fields.map((goField) => ({ ...goField, path: `${name}.${goField.path}` }));
        }
        const { json, omit, proto = 0, wire = "" } = field;
        return [{ json, path: json, type: this.#type(field.go), omit, proto, wire }];
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
      this.#structs.set(key, struct);
    }
    return struct;
  }

  /** Returns the struct of a kind; undefined for kinds that aren't built in. */
  ofKind(group: string, version: string, kind: string): GoStruct | undefined {
    const key = this.#kinds.get(`${group}/${version}/${kind}`);
    return key === undefined ? undefined : this.struct(key);
  }
}

const data = dataFile<Data>("go-types.json");
const goTypes = perVersion((version) => new GoTypes(data(version)));

/** Returns the struct with this key in the data of the newest version. */
export function goStruct(key: string): GoStruct {
  return goTypes(newestVersion).struct(key);
}

/** Returns the struct of a kind; undefined for kinds that aren't built in. */
export function structOfKind(
  group: string,
  version: string,
  kind: string,
  kubernetes: KubernetesVersion = newestVersion,
): GoStruct | undefined {
  return goTypes(kubernetes).ofKind(group, version, kind);
}
