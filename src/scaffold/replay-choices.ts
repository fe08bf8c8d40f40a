import { typesFile } from "../project/paths.ts";
import type { Project } from "../project/project-file.ts";
import { originOf } from "./from-crd/origin.ts";
import { mainFile } from "./main-file.ts";
import type { ReplayInput } from "./replay.ts";
import type { Tree } from "./tree.ts";

/**
 * What commands have chosen and PROJECT doesn't record, by the pristine copies: the names in main.ts, and the types that were
 * made from a CustomResourceDefinition.
 *
 * @param copies the pristine copies
 * @param project where they lie: the project as it is
 * @param redirect gives a text as it is in the project that is scaffolded
 */
export function choicesOf(
  copies: Tree,
  project: Project,
  redirect: (path: string, text: string) => string = (_, text) => text,
): Pick<ReplayInput, "mainBefore" | "define"> {
  const textOf = (path: string) => {
    const text = copies.readText(path);
    return text === undefined ? undefined : redirect(path, text);
  };
  return {
    mainBefore: textOf(mainFile),
    define(_, __, resource) {
      const types = textOf(typesFile(resource, project));
      const name = types === undefined ? undefined : originOf(types);
      return types === undefined || name === undefined ? undefined : { name, types, sample: "" };
    },
  };
}
