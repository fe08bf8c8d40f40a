import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { insidePath } from "../scaffold/files/inside.ts";
import { makefileOptions } from "../tasks/makefile.ts";
import { readValues } from "../yaml/values.ts";
import { generatedYaml, type Place } from "./command.ts";
import { pageUri } from "./pages.ts";
import { publishedSchema, schemaNames } from "./schemas.ts";
import type { Services } from "./tool.ts";

/** A resource of the server. */
export interface Resource {
  readonly uri: string;
  readonly title: string;
  readonly mimeType: string;
}

/** Resources whose URIs begin with the same words. */
export interface ResourceFamily {
  readonly name: string;
  /** The URI with the variable `path`. */
  readonly template: string;
  readonly mimeType: string;
  list(signal: AbortSignal): Promise<readonly Resource[]>;
  /** Returns the text of a resource; undefined if it doesn't exist. */
  read(path: string, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * Returns the resources of a project.
 *
 * @param services - the project, and the pages of the documentation
 */
export function resourceFamilies({ place, pages, packageRoot }: Services): ResourceFamily[] {
  const markdown = "text/markdown";
  return [
    {
      name: "docs",
      template: "kubewright://docs/{+path}",
      mimeType: markdown,
      list: async () => pages.map((page) => ({ uri: pageUri(page), title: page.title, mimeType: markdown })),
      read: async (path) => pages.find((page) => page.path === path)?.text,
    },
    {
      name: "crds",
      template: "kubewright://crds/{path}",
      mimeType: "application/yaml",
      list: async (signal) =>
        [...(await crdsOf(place, signal).catch(() => new Map<string, string>())).keys()].map((name) => ({
          uri: `kubewright://crds/${name}`,
          title: `CRD ${name}`,
          mimeType: "application/yaml",
        })),
      read: async (path, signal) => (await crdsOf(place, signal)).get(path),
    },
    {
      name: "schemas",
      template: "kubewright://schemas/{path}",
      mimeType: "application/schema+json",
      list: async () =>
        schemaNames(packageRoot).map((name) => ({
          uri: `kubewright://schemas/${name}`,
          title: String(publishedSchema(packageRoot, name).title),
          mimeType: "application/schema+json",
        })),
      read: async (path) =>
        schemaNames(packageRoot).includes(path)
          ? JSON.stringify(publishedSchema(packageRoot, path), null, 2)
          : undefined,
    },
  ];
}

/** A resource that is a file of the project. */
export interface FileResource extends Resource {
  /** Its path in the project. */
  readonly file: string;
}

/** The resources that are files of a project. */
export const fileResources: readonly FileResource[] = [
  { uri: "kubewright://project", file: "PROJECT", title: "PROJECT file", mimeType: "application/yaml" },
  { uri: "kubewright://agents", file: "AGENTS.md", title: "Instructions for agents", mimeType: "text/markdown" },
];

/** Returns the text of a file of a project; undefined if it doesn't exist, or is a link that leaves the project. */
export function readProjectFile(root: string, file: string): string | undefined {
  try {
    return readFileSync(insidePath(root, file), "utf8");
  } catch {
    return undefined;
  }
}

/** Returns the CRDs that the current types generate, by name. */
async function crdsOf(place: Place, signal: AbortSignal): Promise<Map<string, string>> {
  if (!existsSync(join(place.root, "PROJECT"))) return new Map();
  const options = makefileOptions(place.root, place.env).filter((word) => /^(crd\b|paths=)/.test(word));
  const yaml = await generatedYaml(place, options.length > 0 ? options : ["crd", "paths=./..."], signal);
  const documents = yaml.split(/^---\n/m).filter((document) => document.trim() !== "");
  return new Map(
    documents.flatMap((document): [string, string][] => {
      const [value] = readValues(document) as { readonly metadata?: { readonly name?: string } }[];
      return value?.metadata?.name === undefined ? [] : [[value.metadata.name, document]];
    }),
  );
}
