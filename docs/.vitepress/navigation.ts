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
  { text: "Get started", open: true, pages: ["quick-start", "why", "faq", "troubleshooting"] },
  {
    text: "Learn",
    open: true,
    pages: [
      "concepts/operators",
      "concepts/groups-versions-kinds",
      "concepts/spec-and-status",
      "concepts/types-to-crds",
      "concepts/reconciling",
      "concepts/owner-references",
      "concepts/finalizers",
      "concepts/conditions",
      "concepts/api-design",
      "concepts/rbac",
      "concepts/webhooks",
      "concepts/conversion",
      "concepts/leader-election",
      "concepts/cache",
      "concepts/testing",
      "concepts/simulation",
      "concepts/observability",
      "concepts/",
    ],
  },
  {
    text: "Tutorials",
    open: true,
    pages: ["tutorials/game", "tutorials/deploy-image", "tutorials/cronjob", "tutorials/"],
  },
  {
    text: "How-to",
    pages: [
      {
        text: "Develop",
        pages: [
          "how-to/develop",
          "generate",
          "how-to/find-mistakes-in-markers",
          "how-to/change-a-project",
          "how-to/read-and-write",
          "how-to/control-reconciles",
          "how-to/readiness",
          "how-to/watch-other-kinds",
          "how-to/several-clusters",
          "how-to/list-and-watch",
          "how-to/big-crds",
          "how-to/windows",
          "how-to/",
        ],
      },
      {
        text: "Webhooks",
        pages: ["webhooks", "how-to/webhooks-on-your-machine", "how-to/webhooks-without-cert-manager"],
      },
      { text: "Test", pages: ["testing", "how-to/envtest-in-go"] },
      { text: "Simulate", pages: ["how-to/simulate", "how-to/verify-an-upgrade"] },
      { text: "Deploy", pages: ["deploy", "how-to/least-privilege"] },
      {
        text: "Operate",
        pages: [
          "how-to/monitor",
          "how-to/profile",
          "how-to/trace-with-opentelemetry",
          "how-to/upgrade",
          "how-to/migrate-stored-objects",
        ],
      },
      { text: "Migrate", pages: ["how-to/coming-from-kubebuilder", "migrate", "compare"] },
    ],
  },
  {
    text: "Reference",
    open: true,
    pages: [
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
      "security",
      { text: "Runtime API", pages: ["reference/runtime", "reference/runtime/"] },
    ],
  },
  {
    text: "Project",
    pages: [
      "architecture",
      "reference/conformance",
      "reference/dependencies",
      "reference/benchmarks",
      "reference/",
      "/",
    ],
  },
];

/**
 * Returns the groups of each sidebar by the paths of its pages: one for the reference and for contributors, one for all other
 * pages. Each page load builds its sidebar, and a part of the groups takes half the time.
 */
export function sidebars(): Sidebars {
  const all = sections();
  const first = all.findIndex(({ text }) => text === "Reference");
  const reference = all.slice(first);
  const outside = groups
    .slice(first)
    .flatMap(pagesOf)
    .filter((page) => !page.includes("/"));
  const paths = ["reference/", ...outside].map((path) => [`/${path}`, reference]);
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
