import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type Handlebars from "handlebars";
import { filesBelow } from "./files-below.ts";

/** A rendered file of a template set. */
export interface Rendered {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly content: string;
}

/** Renders template sets: directories of `*.hbs` files with the layout and names of the resulting tree. */
export interface Templates {
  render(set: string, values: object): Rendered[];
  /** Renders one file of a set, by the path of its template without `.hbs`. */
  one(set: string, path: string, values: object): string;
  /** Renders a part that several templates share: `partials/<name>.hbs`. */
  partial(name: string, values: object): string;
}

/** Opens the templates in a directory. Loads Handlebars now, and compiles each template when it is rendered. */
export async function openTemplates(directory: string): Promise<Templates> {
  const { default: handlebars } = await import("handlebars");
  const engine: typeof Handlebars = handlebars.create();
  engine.registerHelper("json", (value: unknown) => JSON.stringify(value));
  const text = (...path: string[]) => readFileSync(join(directory, ...path), "utf8");
  for (const file of readdirSync(join(directory, "partials"))) {
    engine.registerPartial(basename(file, ".hbs"), text("partials", file));
  }
  // An upgrade of 200 kinds renders each template 200 times: compiling once makes it a third faster.
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  const compile = (source: string, values: object) => {
    if (!source.includes("{{")) return source;
    // strict: a name without a value is a bug in a template, and must not become an empty string.
    const template = compiled.get(source) ?? engine.compile(source, { noEscape: true, strict: true });
    compiled.set(source, template);
    return template(values);
  };
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

/** Returns the sorted paths of the templates below a directory, with `/`. */
function templateFiles(directory: string): string[] {
  // readdir's `recursive` option returns other paths in the archives from which Yarn runs packages.
  return filesBelow(directory, "")
    .filter((path) => path.endsWith(".hbs"))
    .sort();
}
