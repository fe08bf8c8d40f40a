import type { CrdModel, GeneratedCrd } from "../crd/crds.ts";
import type { ApiDocsOptions } from "../options/index.ts";
import type { Run } from "../run/run.ts";
import { collectReference } from "./collect.ts";
import { readConfig } from "./config.ts";
import { htmlPage } from "./html.ts";
import { markdownPage } from "./markdown.ts";
import { pagesOf } from "./pages.ts";

/** A page of the API reference, with the CRDs that it describes. */
export interface ReferenceFile {
  readonly name: string;
  readonly text: string;
  readonly crds: readonly GeneratedCrd[];
}

/** Generates the API reference of all kinds. */
export function apiReference(run: Run, model: CrdModel, options: ApiDocsOptions): ReferenceFile[] {
  const config = readConfig(run, options);
  if (config === undefined) return [];
  const reference = collectReference(run, model, config, options.title);
  if (reference.packages.length === 0) return [];
  const pages = pagesOf(reference, options.mode);
  const { crds } = model;
  return options.formats.flatMap((format) =>
    pages.pages.map((page) =>
      format === "markdown"
        ? { name: `${page.name}.md`, text: markdownPage(page, pages), crds }
        : { name: `${page.name}.html`, text: htmlPage(page, pages), crds },
    ),
  );
}
