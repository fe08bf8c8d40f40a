import { shown } from "../project/names.ts";
import type { Project, ProjectResource } from "../project/project-file.ts";
import { workError } from "./errors.ts";
import type { KindFlags } from "./kind-flags.ts";

/** What PROJECT records of the kind that flags name. Throws an error that tells what there is. */
export function recordedKind(project: Project, { group, version, kind }: KindFlags): ProjectResource {
  const entry = project.resources.find(
    (candidate) => (candidate.group ?? "") === group && candidate.version === version && candidate.kind === kind,
  );
  if (entry !== undefined) return entry;
  const there = project.resources.map((each) => `${each.group ?? ""}/${each.version} ${each.kind}`).join(", ");
  throw workError(
    "no-api",
    `the project has no kind ${shown(kind)} in ${shown(`${group}/${version}`)}`,
    there === "" ? "it has no kinds at all" : `it has ${there}`,
  );
}
