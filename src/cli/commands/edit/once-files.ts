import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isUneditedRunbook } from "../../../generate/monitoring/runbooks.ts";
import { newSettings, settingsFile } from "../../../generate/monitoring/settings.ts";
import { isFile } from "../../../generate/source/paths.ts";

/** The files that the generator has written once: absolute paths of those as written, and of those that the user has edited. */
export interface OnceFiles {
  readonly unedited: readonly string[];
  readonly edited: readonly string[];
}

/**
 * Finds the settings and the runbooks.
 *
 * @param directory - the output directory of the generator
 * @param runbooks - the directory of the runbooks, in which files without the generator's last line aren't runbooks of it
 */
export function onceFiles(directory: string, runbooks: string): OnceFiles {
  const unedited: string[] = [];
  const edited: string[] = [];
  const settings = join(directory, settingsFile);
  if (isFile(settings)) (readFileSync(settings, "utf8") === newSettings ? unedited : edited).push(settings);
  const names = statSync(runbooks, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(runbooks).sort() : [];
  for (const path of names.map((name) => join(runbooks, name))) {
    if (!path.endsWith(".md") || !isFile(path)) continue;
    const text = readFileSync(path, "utf8");
    if (isUneditedRunbook(text)) unedited.push(path);
    else if (text.includes("<!-- generated: ")) edited.push(path);
  }
  return { unedited, edited };
}
