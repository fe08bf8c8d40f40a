import { typesFile } from "../../project/paths.ts";
import type { Project } from "../../project/project-file.ts";
import type { Tree } from "../files/tree.ts";
import { mainFile } from "../parts/main-file.ts";
import { originOf } from "../parts/origin.ts";
import type { ReplayInput } from "./replay.ts";

/**
 * Returns choices of earlier commands that PROJECT doesn't record, from the pristine copies: the names in main.ts and in
 * webhooks, and types that were generated from a CRD.
 *
 * @param copies the pristine copies
 * @param project the current project, which determines their paths
 * @param redirect converts a text to its form in the new project
 */
export function choicesOf(
  copies: Tree,
  project: Project,
  redirect: (path: string, text: string) => string = (_, text) => text,
): Pick<ReplayInput, "mainBefore" | "codeBefore" | "define"> {
  const textOf = (path: string) => {
    const text = copies.readText(path);
    return text === undefined ? undefined : redirect(path, text);
  };
  return {
    mainBefore: textOf(mainFile),
    codeBefore: textOf,
    define(_, __, resource) {
      const types = textOf(typesFile(resource, project));
      const name = types === undefined ? undefined : originOf(types);
      return types === undefined || name === undefined ? undefined : { name, types, sample: "" };
    },
  };
}
