import type { GeneratorName } from "../options/index.ts";
import { toYaml } from "./yaml.ts";

/** A file as a generator made it. */
export interface GeneratedFile {
  readonly generator: GeneratorName;
  /** Without directories. */
  readonly name: string;
  readonly text: string;
}

/** Writes documents one after the other, below a header that is taken as it is. What YAML can't hold is a problem. */
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
