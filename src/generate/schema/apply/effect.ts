import type { MarkerValue } from "../../markers/index.ts";
import type { JSONSchema } from "../json-schema.ts";

/** Applies a marker to the schema of its type or field. Returns a message if it fails. */
export type Apply = (schema: JSONSchema, value: MarkerValue, context: ApplyContext) => string | undefined;

export interface ApplyContext {
  /** The name of the marker, for messages. */
  readonly markerName: string;
  readonly target: "type" | "field";
  /** The name of the type, if the target is a type. */
  readonly typeName?: string;
  /** Whether the schema is a reference to a type with properties, which the schema itself doesn't contain. */
  readonly refersToObject?: boolean;
}

/** The effect of a marker and its turn: lower turns first, equal ones in source order. */
export interface Effect {
  readonly turn: number;
  readonly apply: Apply;
}

/** Effects that others depend on have earlier turns. */
export const turns = { type: 8, early: 9, usual: 10, atMostOne: 11, exactlyOne: 12, atLeastOne: 13 } as const;

/** Creates an effect with the usual turn. */
export function effect(apply: Apply, turn: number = turns.usual): Effect {
  return { turn, apply };
}
