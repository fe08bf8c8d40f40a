// The tutorials must contain everything that readers need in addition to their scaffolded project.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compile } from "./compile.ts";
import { allPages, root } from "./pages.ts";

const pages = allPages();
const blocksOf = (path: string) => pages.find((page) => page.path === path)?.blocks ?? [];

const tutorials: readonly [page: string, ...examples: string[]][] = [
  ["game", "game", "game-webhook"],
  ["deploy-image", "deploy-image"],
  ["cronjob", "cronjob", "cronjob-v2"],
  ["dns", "dnsrecord"],
];

it.each(tutorials)("the tutorial %s contains all files of its example completely", (name, ...examples) => {
  const quoted = blocksOf(`docs/tutorials/${name}.md`).flatMap(({ quoted }) => quoted ?? []);
  const files = examples.flatMap((example) => filesUnder(`examples/${example}`));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((file) => !quoted.includes(file))).toEqual([]);
});

it("the quick start contains the import that its types need", () => {
  const [types, names] = blocksOf("docs/quick-start.md").filter(({ language }) => language === "ts");
  if (types === undefined || names === undefined) throw new Error("the quick start shows no types, or no import");
  const typed = { ...types, quoted: undefined, notes: {} };
  expect(compile([typed])).toEqual([expect.stringContaining("Cannot find name 'Int32'")]);
  expect(compile([{ ...typed, text: `${names.text}${types.text}` }])).toEqual([]);
}, 180_000);

function filesUnder(directory: string): string[] {
  return readdirSync(join(root, directory), { recursive: true, encoding: "utf8" })
    .map((path) => `${directory}/${path.replaceAll("\\", "/")}`)
    .filter((path) => statSync(join(root, path)).isFile() && !path.endsWith("/README.md"));
}
