import type { Project } from "../project/project-file.ts";
import { type PackageIdentity, packageIdentity } from "../project/repo.ts";
import type { CoreKinds } from "../project/target.ts";
import type { Templates } from "../scaffold/templates.ts";
import type { Tree } from "../scaffold/tree.ts";
import type { CommandContext } from "./command.ts";
import { coreKindTable } from "./core-kinds.ts";
import { workError } from "./errors.ts";
import { loadProject, templatesDirectory } from "./project-work.ts";

/** A project, and what it takes to scaffold it anew. */
export interface ReplayedProject {
  readonly project: Project;
  readonly tree: Tree;
  readonly templates: Templates;
  readonly npm: PackageIdentity;
  readonly year: number;
  readonly coreKinds: CoreKinds;
}

/** Reads a project that is to be scaffolded anew. Throws a work error where there is none, or PROJECT doesn't allow it. */
export async function loadForReplay(context: CommandContext): Promise<ReplayedProject> {
  const project = await loadProject(context);
  const npm = packageIdentity(project.repo);
  if (npm === undefined)
    throw workError("broken-project", `PROJECT can't be used: its repo ${project.repo} is no package`);
  const { openTree } = await import("../scaffold/tree.ts");
  const { openTemplates } = await import("../scaffold/templates.ts");
  return {
    project,
    tree: openTree(context.cwd),
    templates: await openTemplates(templatesDirectory()),
    npm,
    year: new Date().getFullYear(),
    coreKinds: await coreKindTable(),
  };
}
