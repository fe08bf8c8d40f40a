// Checks the documentation against the code: quotes, command lines, objects, links and paths.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { linksIn, sections } from "../../docs/.vitepress/navigation.ts";
import { problemOf } from "./commands.ts";
import { withDrawings } from "./folders.ts";
import { linkProblem } from "./links.ts";
import type { Block, Placed } from "./page.ts";
import { allPages, isForContributors, root } from "./pages.ts";
import { newLines, quote } from "./quote.ts";
import { callsOf } from "./shell.ts";

const pages = allPages();
const blocks = pages.flatMap((page) => page.blocks);
const at = ({ page, line }: { page: string; line: number }): string => `${page}:${line}`;

/** Returns the blocks of some languages that aren't quoted from a file. */
const own = (...languages: string[]): Block[] =>
  blocks.filter(({ language, quoted }) => languages.includes(language) && quoted === undefined);

it("the tests below find pages and blocks", () => {
  expect(pages.length).toBeGreaterThan(20);
  expect(blocks.length).toBeGreaterThan(50);
});

it("all blocks have a language that is checked", () => {
  const languages = ["ts", "js", "yaml", "md", "mermaid", "sh", "text"];
  expect(blocks.filter(({ language }) => !languages.includes(language)).map(at)).toEqual([]);
});

it("drawings of folders are up to date (`npm run docs:quotes` updates them)", () => {
  const page = readFileSync(join(root, "docs/project/architecture.md"), "utf8");
  expect(page.match(/^<!-- folders: /gm)).toHaveLength(4);
  expect(page).toBe(withDrawings(page));
});

it("quoted blocks equal their files (`npm run docs:quotes` updates them)", () => {
  const wrong = blocks.flatMap((block) => (block.quoted === undefined ? [] : quoteProblem(block, block.quoted)));
  expect(wrong).toEqual([]);
});

it("each container, such as a collapsible file, is closed: otherwise it contains the rest of its page", () => {
  const wrong = pages.filter(({ path }) => {
    const open: string[] = [];
    for (const [, fence = "", name] of readFileSync(join(root, path), "utf8").matchAll(/^ *(:{3,})(?: (\w.*))?$/gm)) {
      if (name !== undefined) open.push(fence);
      // A shorter fence doesn't close a longer one.
      else if (open.pop() !== fence) return true;
    }
    return open.length > 0;
  });
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

it("diagrams have a title and a description for screen readers", () => {
  const drawn = blocks.filter(({ language }) => language === "mermaid");
  expect(drawn.length).toBeGreaterThan(6);
  const lacking = drawn.filter(({ text }) => !/^ +accTitle: .+$/m.test(text) || !/^ +accDescr: .{60,}$/m.test(text));
  expect(lacking.map(at)).toEqual([]);
});

function quoteProblem(block: Block, reference: string): string[] {
  try {
    const text = quote(reference);
    if (text !== block.text) return [`${at(block)}: differs from ${reference}`];
    const { since } = block.notes;
    const isHighlighted = since === undefined || block.highlighted === newLines(quote(since), text);
    return isHighlighted ? [] : [`${at(block)}: the highlighted lines aren't those since ${since}`];
  } catch (error) {
    return [`${at(block)}: ${error instanceof Error ? error.message : error}`];
  }
}

it("each example is quoted on a page", () => {
  const quoted = blocks.flatMap(({ page, quoted }) => (page.startsWith("docs/") ? (quoted ?? []) : []));
  const examples = readdirSync(join(root, "examples"));
  expect(examples.length).toBeGreaterThan(5);
  expect(examples.filter((name) => !quoted.some((path) => path.startsWith(`examples/${name}/`)))).toEqual([]);
});

it("blocks of text are quoted, or generated from the types above", () => {
  const bare = pages.flatMap(({ path, blocks }) =>
    // Pages in docs/reference are generated from code and have their own tests.
    path.startsWith("docs/reference/")
      ? []
      : blocks.filter(({ language, quoted }, index) => {
          return language === "text" && quoted === undefined && blocks[index - 1]?.notes.api === undefined;
        }),
  );
  expect(bare.map(at)).toEqual([]);
});

it("pages contain no HTML tags except anchors, because Markdown drops text that looks like a tag", () => {
  // GitHub and npm show the README, whose logo and panels need tags.
  const others = pages.filter(({ path }) => path !== "README.md");
  const tags = others.flatMap((page) => page.tags).filter(({ text }) => !/^(<a id="[\w-]+">|<\/a>)$/.test(text));
  expect(tags.map((tag) => `${at(tag)}: ${tag.text}`)).toEqual([]);
});

it("YAML blocks and the frontmatter of Markdown blocks are valid YAML", () => {
  const problems = own("yaml", "md").flatMap((block) => {
    const yaml = block.language === "md" ? (block.text.split(/^---$/m)[1] ?? "") : block.text;
    try {
      for (const { errors } of parseAllDocuments(yaml)) if (errors[0]) throw errors[0];
      return [];
    } catch (error) {
      return [`${at(block)}: ${error instanceof Error ? error.message : error}`];
    }
  });
  expect(problems).toEqual([]);
});

it("YAML blocks are checked by the type of their kind, their schema, or another test", () => {
  // Pages in docs/reference are generated from code, e2e/migrate runs its page with a real project, and monitoring.test.ts and
  // apidocs.test.ts read the settings of their pages.
  const taken = /^docs\/(reference\/|guides\/(migrate|alerts|api-reference)\.md$)/;
  const isChecked = ({ page, text, notes }: Block): boolean =>
    taken.test(page) || notes.schema !== undefined || /^kind: /m.test(text);
  expect(
    own("yaml")
      .filter((block) => !isChecked(block))
      .map(at),
  ).toEqual([]);
});

describe("command lines", () => {
  const problemsOf = async (scripts: readonly Placed[], inText = false): Promise<string[]> => {
    const calls = scripts.flatMap(callsOf).map((call) => ({ ...call, inText }));
    const problems = await Promise.all(calls.map(async (call) => [call, await problemOf(call)] as const));
    return problems.flatMap(([call, problem]) =>
      problem === undefined ? [] : [`${at(call)}: ${call.text}: ${problem}`],
    );
  };

  it("in blocks are valid", async () => {
    // The first line of a block is below its fence.
    expect(await problemsOf(own("sh").map((block) => ({ ...block, line: block.line + 1 })))).toEqual([]);
  });

  it("in sentences are valid", async () => {
    const ours = /^(npx (scaffold|kubewright|setup-envtest)|scaffold|make|npm run) /;
    const codes = pages.flatMap((page) => page.codes).filter(({ text }) => ours.test(text));
    expect(codes.length).toBeGreaterThan(20);
    expect(await problemsOf(codes, true)).toEqual([]);
  });

  it.each([
    "npx scaffold creat api",
    "npx scaffold create api --grup x",
    "npx scaffold generate crd:maxDesc=0",
    "make deploy IMAGE=x",
    "make deplay",
    "npm run manifest",
    "npx setup-envtest get",
    "npx kustomize build",
    "kubectl aply -f x",
    "oc apply -f x",
  ])("with mistakes are rejected: %s", async (text) => {
    expect(await problemsOf([{ page: "docs/index.md", line: 1, text }])).toHaveLength(1);
  });

  it("are split as by a shell", () => {
    const text = 'A=1 make run ARGS="--x y" # says\nmkdir a && cd a | cat \\\n  -n <kind>';
    expect(callsOf({ page: "p", line: 5, text })).toMatchObject([
      { line: 5, env: { A: "1" }, words: ["make", "run", "ARGS=--x y"] },
      { line: 6, words: ["mkdir", "a"] },
      { line: 6, words: ["cd", "a"] },
      { line: 6, words: ["cat", "-n", "kind"] },
    ]);
  });
});

describe("links", () => {
  const byPath = new Map(pages.map((page) => [page.path, page]));

  it("lead to existing pages and anchors", () => {
    const links = pages.flatMap((page) => page.links);
    expect(links.length).toBeGreaterThan(60);
    const problems = links.flatMap((link) => {
      const problem = linkProblem(link, byPath);
      return problem === undefined ? [] : [`${at(link)}: ${problem}`];
    });
    expect(problems).toEqual([]);
  });

  it.each([
    "nowhere.md",
    "index.md#nothing",
    "../../up",
    "#nothing",
    "http://example.com",
    "https://kubewright.github.io/kubewright/nowhere.html",
    "https://kubewright.github.io/kubewright/faq.html#nothing",
  ])("with wrong targets are rejected: %s", (text) => {
    expect(linkProblem({ page: "docs/index.md", line: 1, text }, byPath)).toBeDefined();
  });

  it("can lead to each diagnostic by its id", async () => {
    const { definitions } = await import("../../src/diagnostics/definitions/index.ts");
    const anchors = byPath.get("docs/reference/diagnostics.md")?.anchors;
    expect(Object.keys(definitions).filter((id) => !anchors?.has(id))).toEqual([]);
  });
});

it("flags in the text exist in the reference, or belong to a program that their line names", () => {
  // The reference is generated, and the pages about kubebuilder and Go list its flags.
  const others = /^docs\/(reference\/|guides\/(compare|migrate|coming-from-|envtest-in-go))|^(bench\/|CONTRIBUTING)/;
  const reference = pages.filter(({ path }) => path.startsWith("docs/reference/")).map(({ path }) => path);
  const flags = reference.flatMap((path) => readFileSync(join(root, path), "utf8").match(/--[a-z][\w-]*/g) ?? []);
  const named = pages
    .flatMap((page) => page.codes)
    .filter(({ page, text }) => /^--[a-z]/.test(text) && !others.test(page));
  expect(named.length).toBeGreaterThan(20);
  const isKnown = ({ page, line, text }: Placed): boolean => {
    const flag = /^--[\w-]*\w/.exec(text)?.[0] ?? "";
    // A pattern such as --zap-* stands for several flags.
    if (flags.some((each) => (text.endsWith("*") ? each.startsWith(`${flag}-`) : each === flag))) return true;
    const lines = readFileSync(join(root, page), "utf8").split("\n");
    return /\b(kubectl|npm|helm|docker)\b/.test(lines.slice(Math.max(0, line - 4), line).join(" "));
  };
  expect(named.filter((code) => !isKnown(code)).map((code) => `${at(code)}: ${code.text}`)).toEqual([]);
});

describe("paths in the text", () => {
  // Pages in docs/reference are generated from code, and the other pages also describe projects in Go.
  const others = /^docs\/(reference\/|guides\/(compare|migrate|coming-from-))/;
  const codes = pages.flatMap((page) => page.codes).filter(({ page }) => !others.test(page));
  // The README names paths of a scaffolded project.
  const isOurs = ({ page }: Placed): boolean => isForContributors(page) && page !== "README.md";
  const missing = (placed: readonly Placed[], tops: string, roots: readonly string[]): string[] => {
    const paths = placed.filter(({ text }) => new RegExp(`^(${tops})/[\\w./-]*$`).test(text));
    expect(paths.length).toBeGreaterThan(5);
    return paths
      .filter(({ text }) => !roots.some((top) => existsSync(join(root, top, text))))
      .map((path) => `${at(path)}: ${path.text}`);
  };

  it("exist in this repository on pages for contributors", () => {
    expect(
      missing(codes.filter(isOurs), "bench|bin|conformance|data|e2e|examples|packages|scripts|src|templates|testdata", [
        ".",
      ]),
    ).toEqual([]);
  });

  it("exist in a scaffolded project on other pages", () => {
    const scaffolded = readdirSync(join(root, "testdata/projects")).map((name) => `projects/${name}`);
    const names = [...scaffolded, "webhook-certs/files"];
    const examples = readdirSync(join(root, "examples")).map((name) => `examples/${name}`);
    const projects = [...names.map((name) => `testdata/${name}`), ...examples];
    const generated =
      "config/crd/bases|config/webhook/manifests.yaml|config/schemapatch|config/monitoring|config/policy";
    const theirs = codes.filter((code) => !isOurs(code));
    const absent = missing(theirs, "api|config|hack|src", projects);
    expect(absent.filter((path) => !new RegExp(`: (${generated})`).test(path))).toEqual([]);
  });
});

describe("the navigation", () => {
  const entries = sections().flatMap(linksIn);

  it("has each page once with its title, except for the landing page and hidden pages", () => {
    const shown = pages.filter(({ path, hidden }) => path.startsWith("docs/") && path !== "docs/index.md" && !hidden);
    const titles = new Map(shown.map(({ path, title }) => [`/${path.replace(/^docs\/|\.md$/g, "")}`, title]));
    expect(entries.map(({ link }) => link).sort()).toEqual([...titles.keys()].sort());
    for (const { link, text } of entries) expect(text).toBe(titles.get(link));
  });
});

it("each page begins with its purpose", () => {
  const opening = String.raw`\n\n[A-Z\`].+\n`;
  const wrong = pages
    .map(({ path }) => path)
    .filter((path) => path.startsWith("docs/"))
    .filter((path) => {
      const text = readFileSync(join(root, path), "utf8").replace(/<!--.*?-->\s*/g, "");
      // The title of the landing page is in its frontmatter.
      return !new RegExp(`^${path === "docs/index.md" ? "---" : "# .+"}${opening}`, "m").test(text);
    });
  expect(wrong).toEqual([]);
});

describe("search engines and previews", () => {
  const described = pages.filter(({ path }) => path.startsWith("docs/"));

  it("get a description of each page, between 40 and 200 characters", () => {
    const wrong = described.filter(({ description = "" }) => description.length < 40 || description.length > 200);
    expect(wrong.map(({ path, description }) => `${path}: ${description}`)).toEqual([]);
  });

  it("get another description for each page", () => {
    const texts = described.map(({ description }) => description);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });
});
