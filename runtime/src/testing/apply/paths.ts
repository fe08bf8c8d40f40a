import type { JsonObject } from "../../json/object.ts";
import { goJson } from "../schema/field-error.ts";

/** A step of a path: a field, an item of a list map (by its keys), or an item of a set (by its value). */
export type Step = { readonly field: string } | { readonly key: JsonObject } | { readonly value: unknown };

export type Path = readonly Step[];

/** Returns a string that is equal for equal paths. */
export function pathText(path: Path): string {
  return path.reduce(textBelow, "");
}

/** Returns the text of a path that is extended by one step. */
export function textBelow(text: string, step: Step): string {
  return `${text}/${"field" in step ? JSON.stringify(step.field) : goJson(step)}`;
}

/** Formats a path for messages: `.spec.ports[name="http"].port`. */
export function readablePath(path: Path): string {
  return path
    .map((step) => {
      if ("field" in step) return `.${step.field}`;
      if ("value" in step) return `[=${goJson(step.value)}]`;
      const keys = Object.entries(step.key).sort(([a], [b]) => (a < b ? -1 : 1));
      return `[${keys.map(([name, value]) => `${name}=${goJson(value)}`).join(",")}]`;
    })
    .join("");
}
