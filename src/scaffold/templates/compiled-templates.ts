import { readFileSync } from "node:fs";
import { join } from "node:path";
import handlebars from "handlebars";
import { filesBelow } from "../files/files-below.ts";
import { registerHelpers } from "./template-helpers.ts";

/** A text with placeholders: the content of a template, or its path. */
export type CompiledTemplate = (values: object) => string;

/** The templates of a directory, compiled. */
export interface CompiledTemplates {
  /** Paths below the directory, without `.hbs`, with `/`. */
  readonly paths: readonly string[];
  /** Returns the content of a template. */
  content(path: string): CompiledTemplate;
  /** Returns the path of a rendered file. */
  path(path: string): CompiledTemplate;
}

/** The templates of each directory, so that a process that runs several commands compiles them once. */
const opened = new Map<string, CompiledTemplates>();

/**
 * Compiles templates when they are first used. This takes longer than the rest of `init`, so the build compiles all templates and
 * replaces this module by them: `scripts/compile-templates.ts`.
 *
 * @param directory - that of the templates
 */
export function compiledTemplates(directory: string): CompiledTemplates {
  const templates = opened.get(directory) ?? open(directory);
  opened.set(directory, templates);
  return templates;
}

function open(directory: string): CompiledTemplates {
  const engine = handlebars.create();
  registerHelpers(engine);
  const paths = templatePaths(directory);
  const text = (path: string) => readFileSync(join(directory, `${path}.hbs`), "utf8");
  for (const path of paths.filter(isPartial)) engine.registerPartial(partialName(path), text(path));
  const templates = new Map<string, CompiledTemplate>();
  const compiled = (key: string, source: () => string): CompiledTemplate => {
    const template = templates.get(key) ?? compile(source());
    templates.set(key, template);
    return template;
  };
  const compile = (source: string) => (hasValues(source) ? engine.compile(source, compileOptions) : () => source);
  return {
    paths,
    content: (path) => compiled(`content ${path}`, () => text(path)),
    path: (path) => compiled(`path ${path}`, () => path),
  };
}

/** `strict`: a name without a value is a bug in a template, and must not become an empty string. */
export const compileOptions = { noEscape: true, strict: true };

/** Whether a text must be compiled. */
export const hasValues = (text: string): boolean => text.includes("{{");

/** Whether a template is a part that others include by its name. */
export const isPartial = (path: string): boolean => path.startsWith("partials/");

/** Returns the name by which templates include a part. */
export const partialName = (path: string): string => path.slice("partials/".length);

/** Returns the sorted paths of the templates below a directory, without `.hbs`. */
export function templatePaths(directory: string): string[] {
  // readdir's `recursive` option returns other paths in the archives from which Yarn runs packages.
  const files = filesBelow(directory, "").filter((path) => path.endsWith(".hbs"));
  return files.sort().map((path) => path.slice(0, -".hbs".length));
}
