import type { MarkerValue } from "../../markers/index.ts";
import type { JSONSchema } from "../json-schema.ts";

/** What a marker does to the schema of the type or field that it stands on. Returns a message if it can't. */
export type Apply = (schema: JSONSchema, value: MarkerValue, context: ApplyContext) => string | undefined;

/** What an effect may know beyond schema and value. */
export interface ApplyContext {
  /** As the user knows the marker. */
  readonly markerName: string;
  readonly target: "type" | "field";
  /** Name of the type, on types. */
  readonly typeName?: string;
  /** The schema is a reference to a type with properties, which the schema itself doesn't tell. */
  readonly refersToObject?: boolean;
}

/** A marker's effect and its turn: lower ones first, equal ones in source order. */
export interface Effect {
  readonly turn: number;
  readonly apply: Apply;
}

/** Sets what others look at: the type first of all. */
export const turns = { type: 8, early: 9, usual: 10, atMostOne: 11, exactlyOne: 12, atLeastOne: 13 } as const;

/** An effect at the usual turn. */
export function effect(apply: Apply, turn: number = turns.usual): Effect {
  return { turn, apply };
}

/** A named argument that is a string; "" if it is absent. */
export function stringArgument(value: MarkerValue, name: string): string {
  const found = argument(value, name);
  return typeof found === "string" ? found : "";
}

/** A named argument; null if it is absent. */
export function argument(value: MarkerValue, name: string): MarkerValue {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  return (value as { readonly [key: string]: MarkerValue })[name] ?? null;
}
