// The build contains compiled templates. They must render the same text as templates that are compiled when they are
// used.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { type CompiledTemplates, compiledTemplates } from "../src/scaffold/templates/compiled-templates.ts";
import { testDirectory } from "../src/scaffold/test-support/tree.ts";
import { compiledModule } from "./compile-templates.ts";

const root = join(import.meta.dirname, "..");
const templates = join(root, "templates");

/** Imports the module from a temporary directory, in which its imports don't resolve. */
async function fromBuild(): Promise<CompiledTemplates> {
  const url = (file: string) => pathToFileURL(join(root, file)).href;
  const path = join(testDirectory(), "compiled.mjs");
  const code = compiledModule(templates)
    .replace("handlebars/runtime", url("node_modules/handlebars/runtime.js"))
    .replace("./template-helpers.ts", url("src/scaffold/templates/template-helpers.ts"));
  writeFileSync(path, code);
  return (await import(pathToFileURL(path).href)).compiledTemplates();
}

/** Returns an object with all properties: each is its own name, or `false`, which hides the parts that depend on it. */
function everyName(on: boolean): object {
  const value = (name: string | symbol) => {
    if (name === "versions") return everyName(on);
    return on ? `<${String(name)}>` : false;
  };
  return new Proxy(
    {},
    {
      has: () => true,
      get: (_, name) => value(name),
      getOwnPropertyDescriptor: (_, name) => ({ configurable: true, value: value(name) }),
    },
  );
}

it("each compiled template of the build renders the same text as its source", async () => {
  const [built, own] = [await fromBuild(), compiledTemplates(templates)];
  expect(built.paths).toEqual(own.paths);
  expect(own.paths.length).toBeGreaterThan(80);
  for (const path of own.paths) {
    for (const values of [everyName(true), everyName(false)]) {
      expect(built.path(path)(values)).toBe(own.path(path)(values));
      expect(built.content(path)(values), path).toBe(own.content(path)(values));
    }
  }
  expect(own.content("init/src/main.ts")(everyName(true))).toContain("<leaderElectionID>");
});
