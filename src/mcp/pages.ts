import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A page of the documentation, as the package contains it. */
export interface Page {
  /** Such as `guides/develop`. */
  readonly path: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** A section of a page that matches a query. */
export interface SearchResult {
  readonly title: string;
  readonly uri: string;
  readonly excerpt: string;
}

/** Maximum number of characters of an excerpt. */
const longestExcerpt = 600;
/** Maximum number of words of a query, because each of them is searched in all pages. */
const mostWords = 32;

/** Reads the pages of the documentation from the package. */
export function readPages(packageRoot: string): readonly Page[] {
  const path = join(packageRoot, "dist", "docs.json.gz");
  return existsSync(path) ? JSON.parse(gunzipSync(readFileSync(path)).toString("utf8")) : [];
}

/** Returns the URI of a page. */
export function pageUri({ path }: Pick<Page, "path">): string {
  return `kubewright://docs/${path}`;
}

/** Returns the sections that contain the words of a query, the best first. Words in titles and rare words count more. */
export function searchPages(pages: readonly Page[], query: string, limit: number): SearchResult[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}-]{2,}/gu) ?? [])].slice(0, mostWords);
  const sections = pages.flatMap((page) =>
    page.text.split(/^(?=#{1,3} )/m).map((text) => ({
      page,
      title: /^#+ (.*)$/m.exec(text)?.[1] ?? page.title,
      text,
      lower: text.toLowerCase(),
    })),
  );
  const weights = new Map(
    words.map((word) => {
      const containing = sections.filter(({ lower }) => lower.includes(word)).length;
      return [word, containing === 0 ? 0 : Math.log(1 + sections.length / containing)];
    }),
  );
  return sections
    .map((section) => {
      const matching = words.filter((word) => section.lower.includes(word));
      const weight = matching.reduce((sum, word) => {
        const isTitle = section.title.toLowerCase().includes(word) || section.page.title.toLowerCase().includes(word);
        return sum + (weights.get(word) ?? 0) * (isTitle ? 2 : 1);
      }, 0);
      // A section about all words is better than one about a rare word.
      const score = weight * (matching.length / words.length) ** 2;
      return { ...section, score };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ page, title, text }) => ({
      title: title === page.title ? title : `${page.title}: ${title}`,
      uri: pageUri(page),
      excerpt: text.trim().slice(0, longestExcerpt),
    }));
}
