import { mergeJson } from "./json.ts";
import { type Merged, mergeText } from "./text.ts";
import { mergeYaml } from "./yaml.ts";

/** The versions of a text that are merged. */
export interface Versions {
  /** The text that was scaffolded. */
  readonly base: string;
  /** The user's version. */
  readonly yours: string;
  /** The text that would be scaffolded now. */
  readonly next: string;
}

/**
 * Merges the user's changes of a file with those of the templates: JSON key by key, other files line by line.
 *
 * @param path the file, whose extension determines its format
 * @param options `yamlByKey` also merges YAML key by key. Changes of its comments in the new text are lost, so this doesn't
 * suit files in which comments are options.
 */
export function mergeFile(
  path: string,
  { base, yours, next }: Versions,
  { yamlByKey = false }: { readonly yamlByKey?: boolean } = {},
): Merged {
  if (base === next || yours === next) return { text: yours, conflicts: 0 };
  if (base === yours) return { text: next, conflicts: 0 };
  const text = path.endsWith(".json")
    ? mergeJson(base, yours, next)
    : yamlByKey && path.endsWith(".yaml")
      ? mergeYaml(base, yours, next)
      : undefined;
  return text === undefined ? mergeText(base, yours, next, path) : { text, conflicts: 0 };
}
