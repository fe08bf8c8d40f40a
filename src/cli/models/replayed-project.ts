import type { Project } from "../../project/project-file.ts";
import { type PackageIdentity, packageIdentity } from "../../project/repo.ts";
import type { CoreKinds } from "../../project/target.ts";
import type { Templates } from "../../scaffold/templates.ts";
import type { Tree } from "../../scaffold/tree.ts";
import type { CommandContext } from "../framework/command.ts";
import { workError } from "../framework/errors.ts";
import { coreKindTable } from "./core-kinds.ts";
import { loadProject, templatesDirectory } from "./project-work.ts";

/** A project with the inputs for rendering it again. */
export interface ReplayedProject {
  readonly project: Project;
  readonly tree: Tree;
  readonly templates: Templates;
  readonly npm: PackageIdentity;
  readonly year: number;
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
  const { openTree } = await import("../../scaffold/tree.ts");
  const { openTemplates } = await import("../../scaffold/templates.ts");
  return {
    project,
    tree: openTree(context.cwd),
    templates: await openTemplates(templatesDirectory()),
    npm,
    year: new Date().getFullYear(),
    coreKinds: await coreKindTable(),
  };
}
