import type { GeneratorName } from "../options/index.ts";
import { toYaml } from "./yaml.ts";

/** A generated file. */
export interface GeneratedFile {
  readonly generator: GeneratorName;
  /** The base name. */
  readonly name: string;
  readonly text: string;
  /** Whether the file is written only if it doesn't exist, because it is the user's then. */
  readonly isOnce?: true;
  /** Whether an error concerns the document, so that it must not be written. */
  readonly hasErrors?: true;
}

/** Formats documents as YAML, one after the other below the header. Values that YAML can't represent are a problem. */
export function renderFile(
  generator: GeneratorName,
  name: string,
  documents: readonly unknown[],
  header = "",
): { readonly file: GeneratedFile } | { readonly problem: string } {
  let text = header;
  for (const document of documents) {
    const result = toYaml(document);
    if ("problem" in result) return { problem: `${name}: ${result.problem}` };
    text += `---\n${result.text}`;
  }
  return { file: Object.freeze({ generator, name, text }) };
}
