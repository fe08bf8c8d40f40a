import { ProblemError } from "../../../project/problem-error.ts";
import { readDocuments } from "../../../yaml/plain-documents.ts";
import type { Value } from "../../../yaml/plain-values.ts";
import type { Reference } from "./references.ts";
import type { Resource } from "./resource.ts";

/** The input files of a build. */
export interface Sources {
  /** Returns the YAML documents of a file, whose path is relative to the project; undefined if it doesn't exist. */
  documents(path: string): readonly Value[] | undefined;
  /** Returns the YAML documents in a text from a kustomization. */
  parse(text: string, path: string): readonly Value[];
  /** Returns the cached result for a directory, or calls `make`. Many builds share the same parts. */
  part(directory: string, make: () => Part): Part;
}

/** The objects and settings that a directory adds to a kustomization that refers to it. */
export interface Part {
  readonly resources: readonly Resource[];
  readonly references: readonly Reference[];
}

/** Sources with a cache: CRDs are large, and the same in every build. */
export interface OpenSources extends Sources {
  /** Returns sources with other texts for some files. */
  with(texts: ReadonlyMap<string, string>): Sources;
}

/**
 * Creates sources that read kustomizations and manifests.
 *
 * @param readText returns a file's text, or undefined if it doesn't exist
 */
export function openSources(readText: (path: string) => string | undefined): OpenSources {
  const contents = new Map<string, readonly Value[] | undefined>();
  const parts = new Map<string, Part>();
  const part = (directory: string, make: () => Part) => {
    const made = parts.get(directory) ?? make();
    parts.set(directory, made);
    return made;
  };
  const parse = (text: string, path: string): readonly Value[] => {
    try {
      return readDocuments(text);
    } catch (error) {
      const [reason] = (error as Error).message.split("\n");
      throw new ProblemError("chart-yaml", `${path} can't be read: ${reason}`);
    }
  };
  const documents = (path: string) => {
    if (!contents.has(path)) {
      const text = readText(path);
      contents.set(path, text === undefined ? undefined : parse(text, path));
    }
    return contents.get(path);
  };
  return {
    parse,
    documents,
    part,
    with: (texts) => ({
      parse,
      part: (directory, make) =>
        [...texts.keys()].some((path) => path.startsWith(`${directory}/`)) ? make() : part(directory, make),
      documents(path) {
        const text = texts.get(path);
        return text === undefined ? documents(path) : parse(text, path);
      },
    }),
  };
}
