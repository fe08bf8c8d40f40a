import type { Project } from "../../project/project-file.ts";
import { type PackageIdentity, packageIdentity } from "../../project/repo.ts";
import type { CoreKinds } from "../../project/target.ts";
import type { CommandContext } from "../framework/command.ts";
import { workError } from "../framework/errors.ts";
import { coreKindTable } from "./core-kinds.ts";
import { loadProject, openScaffold, type ScaffoldContext } from "./project-work.ts";

/** A project with the inputs for rendering it again. */
export interface ReplayedProject extends ScaffoldContext {
  readonly project: Project;
  readonly npm: PackageIdentity;
  readonly coreKinds: CoreKinds;
}

/**
 * Loads a project in order to render it again.
 *
 * @throws CliError if there is none, or PROJECT is invalid
 */
export async function loadForReplay(context: CommandContext): Promise<ReplayedProject> {
  const project = await loadProject(context);
  const npm = packageIdentity(project.repo);
  if (npm === undefined)
    throw workError("broken-project", `PROJECT can't be used: repo ${project.repo} isn't a valid package name`);
  return { ...(await openScaffold(context)), project, npm, coreKinds: await coreKindTable() };
}
