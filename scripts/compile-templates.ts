import { readFileSync } from "node:fs";
import { join } from "node:path";
import handlebars from "handlebars";
import {
  compileOptions,
  hasValues,
  isPartial,
  partialName,
  templatePaths,
} from "../src/scaffold/templates/compiled-templates.ts";

/** Replaces the module that compiles templates when they are used by one that contains them compiled. */
export const compiledTemplates = (directory: string) => ({
  name: "compiled-templates",
  load(id: string) {
    return /[\\/]src[\\/]scaffold[\\/]templates[\\/]compiled-templates\.ts$/.test(id)
      ? { code: compiledModule(directory), moduleType: "js" }
      : undefined;
  },
});

/** Returns the code of a module with the same functions as `src/scaffold/templates/compiled-templates.ts`. */
export function compiledModule(directory: string): string {
  const paths = templatePaths(directory);
  const code = (text: string) =>
    hasValues(text)
      ? `engine.template(${handlebars.precompile(text, compileOptions)})`
      : `() => ${JSON.stringify(text)}`;
  const entries = (textOf: (path: string) => string) =>
    paths.map((path) => `  ${JSON.stringify(path)}: ${code(textOf(path))},\n`).join("");
  const partials = paths.filter(isPartial).map((path) => {
    const [name, key] = [partialName(path), path].map((text) => JSON.stringify(text));
    return `engine.registerPartial(${name}, contents[${key}]);\n`;
  });
  return `import handlebars from "handlebars/runtime";
import { registerHelpers } from "./template-helpers.ts";
const engine = handlebars.create();
registerHelpers(engine);
const contents = {
${entries((path) => readFileSync(join(directory, `${path}.hbs`), "utf8"))}};
const paths = {
${entries((path) => path)}};
${partials.join("")}
const all = Object.keys(paths);
export const compiledTemplates = () => ({ paths: all, content: (path) => contents[path], path: (path) => paths[path] });
`;
}
