import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type FormatterName, formatterName, formatterPackage } from "../../project/formatter-name.ts";
import { asWritten, type Format, type RunFormatter } from "./format.ts";
import { runBiome } from "./run-biome.ts";
import { runPrettier } from "./run-prettier.ts";

/** The project whose formatter to run. */
export interface FormattedProject {
  /** Absolute. */
  readonly root: string;
  /** The text of package.json, or undefined if it doesn't exist. */
  readonly manifest: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

const formatters: Readonly<Record<FormatterName, { readonly title: string; readonly run: RunFormatter }>> = {
  biome: { title: "Biome", run: runBiome },
  prettier: { title: "Prettier", run: runPrettier },
};

/**
 * Returns the formatter of a project, with the project's configuration. Formats nothing if it isn't installed, or the project
 * has none.
 *
 * @param onFailure called with a line for the user if the formatter fails; the texts that it couldn't format stay
 */
export function projectFormat(project: FormattedProject, onFailure: (line: string) => void): Format {
  const name = formatterName(project.manifest);
  const directory = name === undefined ? undefined : installedIn(project.root, formatterPackage(name));
  if (name === undefined || directory === undefined) return asWritten;
  const { title, run } = formatters[name];
  return async (files) => {
    if (files.length === 0) return [];
    const results = await run(files, { ...project, directory });
    const failed = files.flatMap(({ path }, index) => {
      const result = results[index];
      return result !== undefined && "problem" in result ? [{ path, problem: result.problem }] : [];
    });
    const [first] = failed;
    if (first !== undefined) {
      const more = failed.length === 1 ? "" : ` and ${failed.length - 1} more`;
      onFailure(`${title} can't format ${first.path}${more}, so the code isn't formatted: ${first.problem}`);
    }
    return files.map(({ text }, index) => {
      const result = results[index];
      return result !== undefined && "text" in result ? result.text : text;
    });
  };
}

/** Returns the directory of a package that a project or a workspace above it has installed. */
function installedIn(root: string, name: string): string | undefined {
  try {
    return dirname(createRequire(join(root, "package.json")).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
