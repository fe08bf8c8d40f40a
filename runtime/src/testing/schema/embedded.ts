import { isJsonObject } from "../../json/object.ts";
import { type FieldError, fieldError, NO_VALUE } from "./field-error.ts";
import { fieldOf, itemsOf, type Schema } from "./schema.ts";

/** Returns the errors in apiVersion and kind of embedded objects. */
export function embeddedErrors(value: unknown, schema: Schema | undefined, path = ""): FieldError[] {
  if (!schema) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => embeddedErrors(item, itemsOf(schema), `${path}[${index}]`));
  }
  if (!isJsonObject(value)) return [];
  const below = (name: string): string => {
    if (path === "") return name;
    return schema.properties && Object.hasOwn(schema.properties, name) ? `${path}.${name}` : `${path}[${name}]`;
  };
  const inner = Object.entries(value).flatMap(([name, field]) =>
    embeddedErrors(field, fieldOf(schema, name), below(name)),
  );
  if (!schema["x-kubernetes-embedded-resource"]) return inner;
  return [...["apiVersion", "kind"].flatMap((name) => typeErrors(value[name], `${path}.${name}`)), ...inner];
}

function typeErrors(value: unknown, path: string): FieldError[] {
  if (value === undefined) return [fieldError("FieldValueRequired", path, NO_VALUE)];
  if (typeof value !== "string") return [fieldError("FieldValueInvalid", path, value, "must be a string")];
  return value === "" ? [fieldError("FieldValueInvalid", path, value, "must not be empty")] : [];
}
