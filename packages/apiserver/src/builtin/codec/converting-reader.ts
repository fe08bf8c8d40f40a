import type { Json, JsonObject } from "@kubewright/cel/json";
import type { GoStruct, GoType } from "./go-types.ts";
import { Reader } from "./reader.ts";
import { describe } from "./scalars.ts";
import type { nil } from "./zero-values.ts";

/** Reads a value that isn't decoded from JSON: fields in the order of the type, and the first error ends it. */
export class ConvertingReader extends Reader {
  protected override bytesError(message: string): string {
    return `error decoding from json: ${message}`;
  }

  protected override keysOf(struct: GoStruct, value: JsonObject): Iterable<string> {
    const names = struct.fields.map(({ json }) => json).filter((name) => Object.hasOwn(value, name));
    const unknown = Object.keys(value).filter((key) => !struct.byName.has(key));
    return [...names, ...unknown];
  }

  protected override typeError(value: Json, type: GoType): void {
    const kind = reflectKind(value);
    const to = type.form;
    if (to === "list") this.fail(`cannot restore slice from ${kind}`);
    else if (to === "map") this.fail(`cannot restore map from ${kind}`);
    else if (to === "struct") this.fail(`cannot restore struct from: ${kind}`);
    else if (to === "bytes") this.fail(`cannot restore slice from ${kind}`);
    else if (isConvertible(kind, to)) this.fail(`cannot convert ${kind} to ${type.name}`);
    else this.fail(`unrecognized type: ${to}`);
  }

  protected override specialReader(): Reader {
    return new Reader("decoded");
  }

  /** Special types are decoded from their JSON alone, which has no field. */
  protected override specialError(value: Json, name: string, shown: string = describe(value)): void {
    this.fail(`json: cannot unmarshal ${shown} into Go value of type ${name}`);
  }

  protected override readScalar(type: GoType, value: Json): Json | typeof nil {
    const { form } = type;
    const isInteger = form === "int32" || form === "int64";
    if (isInteger && typeof value === "bigint") return Number(form === "int32" ? BigInt.asIntN(32, value) : value);
    if (!isInteger || typeof value !== "number" || !Number.isInteger(value)) return super.readScalar(type, value);
    return form === "int32" ? value | 0 : value;
  }
}

/** Returns the name of the Go type that holds a value without a type. */
function reflectKind(value: Json): string {
  if (Array.isArray(value)) return "slice";
  switch (typeof value) {
    case "bigint":
      return "int64";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return "map";
  }
}

/** Reports whether Go can convert between the types, although the converter refuses it. */
function isConvertible(from: string, to: string): boolean {
  if (from === "int64") return to !== "bool";
  return from === "float64" && (to === "int32" || to === "int64");
}
