// The repository must have its rules, issue forms, and an introduction to each example.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { linkProblem } from "./links.ts";
import { readPage } from "./page.ts";
import { allPages, root } from "./pages.ts";

const forms = readdirSync(join(root, ".github/ISSUE_TEMPLATE"));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

it.each(["SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", ".github/pull_request_template.md"])(
  "the repository has %s",
  (path) => {
    expect(read(path).length).toBeGreaterThan(200);
  },
);

it.each(forms)("%s is a form or the configuration of the forms", (name) => {
  const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`));
  if (name === "config.yml") {
    expect(form.contact_links.length).toBeGreaterThan(0);
    return;
  }
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  const inputs = form.body.filter(({ type }: { type: string }) => type !== "markdown");
  const ids = inputs.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(inputs.length);
  for (const { attributes } of inputs) expect(attributes.label).toMatch(/\w/);
});

it("the forms link only to pages of the site that exist", () => {
  const { homepage } = JSON.parse(read("package.json")) as { homepage: string };
  const pages = new Map(allPages().map((page) => [page.path, page]));
  const links = forms.flatMap((name) => read(`.github/ISSUE_TEMPLATE/${name}`).match(/https:[^\s)"]+/g) ?? []);
  const own = links.filter((text) => text.startsWith(homepage));
  expect(own.length).toBeGreaterThan(1);
  expect(own.filter((text) => linkProblem({ page: "README.md", line: 1, text }, pages))).toEqual([]);
});

it.each(readdirSync(join(root, "examples")))("the README of examples/%s links to each of its files", (name) => {
  const directory = join(root, "examples", name);
  const page = readPage(`examples/${name}/README.md`, read(`examples/${name}/README.md`));
  const targets = page.links.map(({ text }) => text);
  expect(targets.filter((target) => !existsSync(join(directory, target)))).toEqual([]);
  const files = readdirSync(directory, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "README.md")
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(directory.length + 1)
        .replaceAll("\\", "/"),
    );
  expect(files.filter((file) => !targets.includes(file))).toEqual([]);
});
