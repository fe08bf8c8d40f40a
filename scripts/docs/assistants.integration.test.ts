// Tests the pages for coding assistants, and the address of the site.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { llmsFullTxt, llmsTxt, markdownOf } from "../../docs/.vitepress/assistants.ts";
import { linksIn, pageSources, sections } from "../../docs/.vitepress/navigation.ts";
import { redirectPage, redirects } from "../../docs/.vitepress/redirects.ts";
import { expectLinear } from "../test-support/growth.ts";
import { readPage } from "./page.ts";
import { root } from "./pages.ts";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const addresses = { site: manifest.homepage, repository: "https://github.com/kubewright/kubewright" };
const sources = pageSources();
const links = sections().flatMap(linksIn);

describe("llms.txt", () => {
  const text = llmsTxt(sections(), sources, addresses);

  it("begins with the name and a summary, and ends with the section Optional", () => {
    expect(text).toMatch(/^# kubewright\n\n> .+\n\n/);
    const titles = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles.length).toBeGreaterThan(4);
    expect(titles.at(-1)).toBe("Optional");
    expect(titles.filter((title) => title === "Optional")).toHaveLength(1);
  });

  it("contains each page of the sidebar once, with its description", () => {
    const entries = [...text.matchAll(/^- \[(.+)\]\((.+)\): (.+)$/gm)];
    expect(entries.map(([, , address]) => address).sort()).toEqual(
      links.map(({ link }) => `${addresses.site}${link.slice(1)}.md`).sort(),
    );
    for (const [line, , , description = ""] of entries) expect(description.length, line).toBeGreaterThanOrEqual(40);
  });
});

describe("llms-full.txt", () => {
  const text = llmsFullTxt(sections(), sources, addresses);

  it("contains each page of the sidebar once, in its order", () => {
    const found = [...text.matchAll(/^Source: (\S+)$/gm)].map(([, address]) => address);
    expect(found).toEqual(links.map(({ link }) => `${addresses.site}${link.slice(1)}.html`));
  });

  it("has no lists of the next pages", () => {
    expect(sources.filter((source) => /^## Next/m.test(source.text)).length).toBeGreaterThan(20);
    expect(text).not.toMatch(/^## Next/m);
  });

  it("is smaller than 1 MB", () => {
    expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(400_000);
  });
});

describe("the Markdown of each page", () => {
  const texts = sources.map((source) => markdownOf(source, addresses));
  const pages = sources.map(({ path }, index) => readPage(path, texts[index] ?? ""));

  it("has only absolute links, to pages and files that exist", () => {
    const paths = new Set(sources.map(({ path }) => `${path}.md`));
    const targets = pages.flatMap((page) => page.links.map(({ text }) => [page.path, text] as const));
    expect(targets.length).toBeGreaterThan(1000);
    expect(targets.filter(([, target]) => !/^https?:\/\//.test(target))).toEqual([]);
    const pageLinks = targets.filter(([, target]) => target.startsWith(addresses.site) && target.includes(".md"));
    expect(pageLinks.length).toBeGreaterThan(500);
    const missing = pageLinks.filter(
      ([, target]) => !paths.has(target.slice(addresses.site.length).replace(/#.*/, "")),
    );
    expect(missing).toEqual([]);
  });

  it("has neither tags nor containers nor frontmatter", () => {
    expect(pages.flatMap(({ path, tags }) => tags.map(({ text }) => `${path}: ${text}`))).toEqual([]);
    const marked = sources.filter((_, index) => {
      const text = (texts[index] ?? "").replace(/^( *)(`{3,})[\s\S]*?\n\1\2$/gm, "");
      return /^ *:{3,}|^<!--|^---\n/m.test(text);
    });
    expect(marked.map(({ path }) => path)).toEqual([]);
  });

  it("keeps all blocks of code and the title", () => {
    for (const [index, page] of pages.entries()) {
      const source = sources[index]!;
      const before = readPage(source.path, source.text);
      expect(page.blocks.map(({ text }) => text)).toEqual(before.blocks.map(({ text }) => text));
      expect(page.title, source.path).not.toBe(source.path);
    }
  });

  it("converts containers, names of files, links and code in brackets", () => {
    const text = [
      "---\ntitle: A page\ndescription: Some words\n---\n\n# Title\n",
      "<!-- given: runtime -->\n```ts{1} [examples/game/src/main.ts#main]\nmain();\n```\n",
      "::: tip Without kubectl\nUse [the page](../concepts/cache.md#using-less-memory), or [below](#end).\n:::\n",
      '<a id="old"></a>`[a](b)` and [a `file`](../../examples/game)\n',
    ].join("\n");
    expect(
      markdownOf({ path: "guides/page", text }, { site: "https://a.example/", repository: "https://b.example" }),
    ).toBe(
      [
        "# Title\n",
        "```ts src/main.ts\nmain();\n```\n",
        "**Without kubectl**\n",
        "Use [the page](https://a.example/concepts/cache.md#using-less-memory), or [below](https://a.example/guides/page.md#end).\n",
        "`[a](b)` and [a `file`](https://b.example/blob/main/examples/game)\n",
      ].join("\n"),
    );
  });

  it("takes at most linear time for escaped characters in brackets without an end", () => {
    const convert = (text: string) => markdownOf({ path: "guides/page", text }, addresses);
    expectLinear(convert, (length) => `[${"\\_".repeat(length)}`, { to: 100_000 });
  });
});

it("each address of a page that has moved leads to a page, and isn't a page itself", () => {
  const paths = sources.map(({ path }) => path);
  expect(Object.values(redirects).filter((path) => !paths.includes(path))).toEqual([]);
  expect(Object.keys(redirects).filter((path) => paths.includes(path))).toEqual([]);
  expect(redirectPage("guides/deploy", "https://a.example/kit/")).toContain(
    'url=https://a.example/kit/guides/deploy.html"',
  );
});

describe("the address of the site", () => {
  const text = (path: string): string => readFileSync(join(root, path), "utf8");

  it("ends with a slash, and its path is the one for which the workflow builds the site", () => {
    expect(manifest.homepage).toMatch(/^https:.*\/$/);
    const { jobs } = load(text(".github/workflows/docs.yml")) as {
      jobs: { build: { steps: { env?: { DOCS_BASE?: string } }[] } };
    };
    const bases = jobs.build.steps.flatMap(({ env }) => env?.DOCS_BASE ?? []);
    expect(bases).toEqual([new URL(manifest.homepage).pathname]);
  });

  it.each([
    "README.md",
    "packages/runtime/README.md",
    "packages/apiserver/README.md",
    "packages/cel/README.md",
    "packages/create-kubewright/README.md",
    ".github/ISSUE_TEMPLATE/bug.yml",
    ".github/ISSUE_TEMPLATE/config.yml",
  ])("is in %s, which npm and GitHub show", (path) => {
    expect(text(path)).toContain(manifest.homepage);
    expect(text(path)).not.toContain("/blob/main/docs/");
  });
});
