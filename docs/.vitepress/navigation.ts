// The sidebar: this file sets the order, and the titles are those of the pages.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Section {
  readonly text: string;
  readonly items: { readonly text: string; readonly link: string }[];
}

const docs = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Pages without `.md`, or a directory with `/` for all of its other pages. */
const order: Readonly<Record<string, readonly string[]>> = {
  Start: ["index", "quick-start", "tutorials/game", "tutorials/deploy-image", "tutorials/cronjob"],
  Concepts: [
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
  ],
  Guides: ["generate", "runtime", "webhooks", "testing", "deploy", "security", "migrate"],
  "How to": [
    "how-to/develop",
    "how-to/webhooks-without-cert-manager",
    "how-to/webhooks-on-your-machine",
    "how-to/find-mistakes-in-markers",
    "how-to/simulate",
    "how-to/least-privilege",
    "how-to/change-a-project",
    "how-to/upgrade",
    "how-to/big-crds",
    "how-to/another-layout",
    "how-to/windows",
    "how-to/watch-other-kinds",
    "how-to/list-and-watch",
    "how-to/several-clusters",
    "how-to/trace-with-opentelemetry",
    "how-to/profile",
    "how-to/",
  ],
  "Files of the tutorials": ["tutorials/game-files", "tutorials/deploy-image-files", "tutorials/cronjob-files"],
  Reference: ["reference/"],
  "API of the runtime": ["reference/runtime", "reference/runtime/"],
  "The project": ["architecture", "/"],
};

/** Returns the sections of the sidebar, which contain each page once. */
export function sections(): Section[] {
  const pages = pagesUnder(docs);
  const named = new Set(Object.values(order).flat());
  return Object.entries(order).map(([text, entries]) => ({
    text,
    items: entries
      .flatMap((entry) => (entry.endsWith("/") ? unnamed(pages, named, entry) : [entry]))
      .map((page) => ({ text: titleOf(page), link: page === "index" ? "/" : `/${page}` })),
  }));
}

/** Returns the unlisted pages directly in a directory (`/` for `docs/` itself). */
function unnamed(pages: readonly string[], named: ReadonlySet<string>, directory: string): string[] {
  return pages.filter((page) => `${dirname(page)}/`.replace("./", "/") === directory && !named.has(page));
}

function pagesUnder(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".md") && !/^(node_modules|\.vitepress)\//.test(path))
    .map((path) => path.slice(0, -".md".length))
    .sort();
}

function titleOf(page: string): string {
  const text = readFileSync(join(docs, `${page}.md`), "utf8");
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? page;
}
