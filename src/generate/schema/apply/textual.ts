import { type Apply, type Effect, effect } from "./effect.ts";
import { wholeNumber } from "./whole-number.ts";

function textual(label: string, set: Apply): Effect {
  return effect((schema, value, context) => {
    if (schema.type !== "string" && !schema["x-kubernetes-int-or-string"]) {
      return `must apply ${label} to a textual value, found type "${schema.type ?? ""}"`;
    }
    return set(schema, value, context);
  });
}

/** Effects of the markers for strings and values that may be strings. */
export const textualEffects: ReadonlyMap<string, Effect> = new Map([
  ["MaxLength", textual("maxlength", wholeNumber("maxLength"))],
  ["MinLength", textual("minlength", wholeNumber("minLength"))],
  [
    "Pattern",
    textual("pattern", (schema, value) => {
      if (value === "") delete schema.pattern;
      else schema.pattern = String(value);
      return undefined;
    }),
  ],
]);
