import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type Handlebars from "handlebars";

/** A file of a template set, rendered. */
export interface Rendered {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly content: string;
}

/** Renders template sets: directories of `*.hbs` files that are laid out, and named, as the tree they give. */
export interface Templates {
  render(set: string, values: object): Rendered[];
}

/** Opens the templates in a directory. Handlebars is loaded now; a template is compiled when it is rendered. */
export async function openTemplates(directory: string): Promise<Templates> {
  const { default: handlebars } = await import("handlebars");
  const engine: typeof Handlebars = handlebars.create();
  engine.registerHelper("json", (value: unknown) => JSON.stringify(value));
  // strict: a name that the values don't have is a bug in a template, not an empty string.
  const compile = (text: string, values: object) => engine.compile(text, { noEscape: true, strict: true })(values);
  return {
    render(set, values) {
      return templateFiles(join(directory, set)).map((file) => ({
        path: compile(file.replace(/\.hbs$/, ""), values),
        content: compile(readFileSync(join(directory, set, file), "utf8"), values),
      }));
    },
  };
}

/** Paths of the templates below a directory, with `/`, sorted. */
function templateFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".hbs"))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(directory.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}
