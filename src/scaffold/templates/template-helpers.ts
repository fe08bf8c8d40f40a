import type handlebars from "handlebars";

/** Registers the helper of the templates: `{{json value}}` writes a value as JSON. */
export function registerHelpers(engine: Pick<typeof handlebars, "registerHelper">): void {
  engine.registerHelper("json", (value: unknown) => JSON.stringify(value));
}
