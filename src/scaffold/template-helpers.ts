import type handlebars from "handlebars";
import { lineWidth } from "./code-lines.ts";

/**
 * Registers the helpers of the templates:
 *
 * - `{{json value}}` writes a value as JSON.
 * - `{{#fits}}…{{else}}…{{/fits}}` writes the first text if all its lines fit the width of scaffolded code, otherwise the second
 *   one, which has the line breaks of the project's formatter.
 */
export function registerHelpers(engine: Pick<typeof handlebars, "registerHelper">): void {
  engine.registerHelper("json", (value: unknown) => JSON.stringify(value));
  engine.registerHelper("fits", function (this: unknown, { fn, inverse }: handlebars.HelperOptions) {
    const text = fn(this);
    return text.split("\n").every(({ length }) => length <= lineWidth) ? text : inverse(this);
  });
}
