import { entryNamed, similarEntries } from "../../project/entries.ts";
import type { Project, ProjectResource } from "../../project/project-file.ts";
import type { TargetNames } from "../../project/target.ts";
import { shown } from "../../text/shown.ts";
import { workError } from "../framework/errors.ts";

/**
 * Finds the kind that the flags name in PROJECT.
 *
 * @throws CliError with the kinds that the project has
 */
export function recordedKind(project: Project, names: TargetNames): ProjectResource {
  const entry = entryNamed(project, names);
  if (entry !== undefined) return entry;
  const { group, version, kind } = names;
  const { present, near } = similarEntries(project, names);
  const list = present.length === 0 ? "the project has no kinds yet" : `the project has ${present.join(", ")}`;
  throw workError(
    "no-api",
    `the project has no kind ${shown(kind)} in ${shown(`${group}/${version}`)}`,
    near === undefined ? list : `did you mean ${near}? ${list}`,
  );
}
