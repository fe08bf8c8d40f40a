import { type Apply, type Effect, effect } from "./effect.ts";
import { wholeNumber } from "./whole-number.ts";

function onArray(label: string, set: Apply): Effect {
  return effect((schema, value, context) =>
    schema.type === "array" ? set(schema, value, context) : `must apply ${label} to an array`,
  );
}

function onObject(label: string, set: Apply): Effect {
  return effect((schema, value, context) =>
    schema.type === "object" ? set(schema, value, context) : `must apply ${label} to an object`,
  );
}

/** Effects of the markers for lists and objects. */
export const containerEffects: ReadonlyMap<string, Effect> = new Map([
  ["MaxItems", onArray("maxitem", wholeNumber("maxItems"))],
  ["MinItems", onArray("minitems", wholeNumber("minItems"))],
  [
    "UniqueItems",
    onArray("uniqueitems", (schema, value) => {
      if (value === true) schema.uniqueItems = true;
      else delete schema.uniqueItems;
      return undefined;
    }),
  ],
  ["MaxProperties", onObject("maxproperties", wholeNumber("maxProperties"))],
  ["MinProperties", onObject("minproperties", wholeNumber("minProperties"))],
]);
