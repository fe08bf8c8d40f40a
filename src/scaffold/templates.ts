import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type Handlebars from "handlebars";
import { filesBelow } from "./files-below.ts";

/** A file of a template set, rendered. */
export interface Rendered {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly content: string;
}

/** Renders template sets: directories of `*.hbs` files that are laid out, and named, as the tree they give. */
export interface Templates {
  render(set: string, values: object): Rendered[];
  /** Renders one file of a set, by the path of its template without `.hbs`. */
  one(set: string, path: string, values: object): string;
  /** Renders a part that templates have in common: `partials/<name>.hbs`. */
  partial(name: string, values: object): string;
}

/** Opens the templates in a directory. Handlebars is loaded now; a template is compiled when it is rendered. */
export async function openTemplates(directory: string): Promise<Templates> {
  const { default: handlebars } = await import("handlebars");
  const engine: typeof Handlebars = handlebars.create();
  engine.registerHelper("json", (value: unknown) => JSON.stringify(value));
  const text = (...path: string[]) => readFileSync(join(directory, ...path), "utf8");
  for (const file of readdirSync(join(directory, "partials"))) {
    engine.registerPartial(basename(file, ".hbs"), text("partials", file));
  }
  // strict: a name that the values don't have is a bug in a template, not an empty string.
  const compile = (source: string, values: object) =>
    source.includes("{{") ? engine.compile(source, { noEscape: true, strict: true })(values) : source;
  return {
    render(set, values) {
      return templateFiles(join(directory, set)).map((file) => ({
        path: compile(file.replace(/\.hbs$/, ""), values),
        content: compile(text(set, file), values),
      }));
    },
    one: (set, path, values) => compile(text(set, `${path}.hbs`), values),
    partial: (name, values) => compile(`{{> ${name}}}`, values),
  };
}

/** Paths of the templates below a directory, with `/`, sorted. */
function templateFiles(directory: string): string[] {
  // Not readdir's `recursive`: in the archives that Yarn runs packages from it gives other paths.
  return filesBelow(directory, "")
    .filter((path) => path.endsWith(".hbs"))
    .sort();
}
