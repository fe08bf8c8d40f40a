import { entryNamed } from "../project/entries.ts";
import { shown } from "../project/names.ts";
import type { Project, ProjectResource } from "../project/project-file.ts";
import { workError } from "./errors.ts";
import type { KindFlags } from "./kind-flags.ts";

/** What PROJECT records of the kind that flags name. Throws an error that tells what there is. */
export function recordedKind(project: Project, names: KindFlags): ProjectResource {
  const entry = entryNamed(project, names);
  if (entry !== undefined) return entry;
  const { group, version, kind } = names;
  const there = project.resources.map((each) => `${each.group ?? ""}/${each.version} ${each.kind}`).join(", ");
  throw workError(
    "no-api",
    `the project has no kind ${shown(kind)} in ${shown(`${group}/${version}`)}`,
    there === "" ? "it has no kinds at all" : `it has ${there}`,
  );
}
