// The sidebars: this file sets the groups and the order, and the titles are those of the pages.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Source } from "./assistants.ts";
import { type Link, type Section, type Sidebars, sidebarOf } from "./sidebar.ts";

/** A group lists pages without `.md`, or `<directory>/` for all other pages of that directory, or smaller groups. */
interface Group {
  readonly text: string;
  readonly open?: true;
  readonly pages: readonly (string | Group)[];
}

const docs = join(dirname(fileURLToPath(import.meta.url)), "..");

const groups: readonly Group[] = [
  { text: "Get started", open: true, pages: ["quick-start", "why", "guides/coming-from-kubebuilder"] },
  {
    text: "Tutorials",
    open: true,
    pages: ["tutorials/website", "tutorials/game", "tutorials/deploy-image", "tutorials/cronjob", "tutorials/"],
  },
  {
    text: "Guides",
    open: true,
    pages: [
      {
        text: "Your API",
        pages: [
          "guides/generate",
          "guides/find-mistakes-in-markers",
          "guides/readiness",
          "guides/big-crds",
          "guides/api-reference",
          "guides/json-schemas",
          "guides/alerts",
          "guides/policies",
          "guides/change-a-project",
        ],
      },
      {
        text: "Controllers",
        pages: [
          "guides/develop",
          "guides/assistants",
          "guides/read-and-write",
          "guides/declare-children",
          "guides/control-reconciles",
          "guides/watch-other-kinds",
          "guides/several-clusters",
          "guides/list-and-watch",
          "guides/",
        ],
      },
      {
        text: "Webhooks",
        pages: ["guides/webhooks", "guides/webhooks-on-your-machine", "guides/webhooks-without-cert-manager"],
      },
      {
        text: "Test and simulate",
        pages: ["guides/testing", "guides/simulate", "guides/verify-an-upgrade", "guides/envtest-in-go"],
      },
      {
        text: "Deploy",
        pages: [
          "guides/deploy",
          "guides/production",
          "guides/shards",
          "guides/least-privilege",
          "guides/plan",
          "guides/windows",
        ],
      },
      {
        text: "Operate",
        pages: [
          "guides/monitor",
          "guides/profile",
          "guides/trace-with-opentelemetry",
          "guides/upgrade",
          "guides/migrate-stored-objects",
        ],
      },
      { text: "Migrate", pages: ["guides/migrate", "guides/coming-from-other-sdks", "guides/compare"] },
      { text: "Patterns and examples", pages: ["guides/cookbook", "guides/examples"] },
    ],
  },
  {
    text: "Concepts",
    open: true,
    pages: [
      {
        text: "Kubernetes",
        pages: ["concepts/operators", "concepts/groups-versions-kinds", "concepts/spec-and-status"],
      },
      { text: "APIs", pages: ["concepts/types-to-crds", "concepts/api-design", "concepts/conversion"] },
      {
        text: "Reconciling",
        pages: [
          "concepts/reconciling",
          "concepts/owner-references",
          "concepts/children",
          "concepts/finalizers",
          "concepts/conditions",
          "concepts/",
        ],
      },
      {
        text: "The running operator",
        pages: [
          "concepts/cache",
          "concepts/leader-election",
          "concepts/shards",
          "concepts/rbac",
          "concepts/simulation",
        ],
      },
    ],
  },
  {
    text: "Reference",
    open: true,
    pages: [
      "troubleshooting",
      "faq",
      "glossary",
      "reference/cli",
      "reference/project-file",
      "reference/make-targets",
      "reference/manager-flags",
      "reference/markers",
      "reference/diagnostics",
      "reference/errors",
      "reference/metrics",
      "reference/webhook-server",
      "reference/apiserver",
      "reference/simulated-workloads",
      "reference/cel",
      "reference/supported-versions",
      { text: "Runtime API", pages: ["reference/runtime", "reference/runtime/"] },
    ],
  },
  {
    text: "Project",
    open: true,
    pages: [
      "project/stability",
      "project/roadmap",
      "project/security",
      "project/architecture",
      "reference/conformance",
      "reference/dependencies",
      "reference/benchmarks",
      "project/",
      "reference/",
      "/",
    ],
  },
];

/**
 * Returns the groups of each sidebar by the paths of its pages: the reference and the pages about the project, or all other
 * pages. Both contain the guides. Each page load builds its sidebar, and a part of the groups takes half the time.
 */
export function sidebars(): Sidebars {
  const all = sections();
  const first = all.findIndex(({ text }) => text === "Reference");
  const reference = [...all.filter(({ text }) => text === "Guides"), ...all.slice(first)];
  const outside = groups
    .slice(first)
    .flatMap(pagesOf)
    .filter((page) => !page.includes("/"));
  const paths = ["reference/", "project/", ...outside].map((path) => [`/${path}`, reference]);
  return Object.fromEntries([...paths, ["/", all.slice(0, first)]]);
}

/**
 * Returns the links at the end of a page: to the pages before and after it in its sidebar.
 *
 * @param all - the groups of all sidebars
 * @param page - the path of the page without `.md`
 */
export function neighbors(all: Sidebars, page: string): { readonly prev: Link | false; readonly next: Link | false } {
  const links = sidebarOf(all, `/${page}`).flatMap(linksIn);
  const index = links.findIndex(({ link }) => link === `/${page}`);
  return { prev: links[index - 1] ?? false, next: (index >= 0 && links[index + 1]) || false };
}

/** Returns the links of a group in their order. */
export function linksIn(section: Section): Link[] {
  return section.items.flatMap((item) => ("items" in item ? linksIn(item) : [item]));
}

/** Returns the groups of all sidebars, which contain each page once. The landing page has no sidebar. */
export function sections(): Section[] {
  const pages = shownPages();
  const named = new Set(["index", ...groups.flatMap(pagesOf)]);
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  const others = (directory: string): string[] =>
    pages.map(({ path }) => path).filter((path) => directoryOf(path) === directory && !named.has(path));
  const section = ({ text, open, pages }: Group): Section => ({
    text,
    collapsed: !open,
    items: pages.flatMap((entry): (Link | Section)[] => {
      if (typeof entry !== "string") return [section(entry)];
      const paths = entry.endsWith("/") ? others(entry) : [entry];
      return paths.map((path) => ({ text: titles.get(path) ?? path, link: `/${path}` }));
    }),
  });
  return groups.map(section);
}

function pagesOf({ pages }: Group): string[] {
  return pages.flatMap((entry) => (typeof entry === "string" ? [entry] : pagesOf(entry)));
}

/** Returns the directory of a page with `/`, and `/` for `docs/` itself. */
function directoryOf(page: string): string {
  return `${dirname(page)}/`.replace("./", "/");
}

/** Reads the Markdown of all pages, sorted by path. */
export function pageSources(): Source[] {
  return readdirSync(docs, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".md") && !/^(node_modules|\.vitepress)\//.test(path))
    .sort()
    .map((path) => ({ path: path.slice(0, -".md".length), text: readFileSync(join(docs, path), "utf8") }));
}

/** Returns the pages without those that have `search: false` in their frontmatter. */
function shownPages() {
  return pageSources()
    .map(({ path, text }) => {
      const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? path;
      return { path, title, hidden: /^---\n(?:.+\n)*?search: false\n/.test(text) };
    })
    .filter(({ hidden }) => !hidden);
}
