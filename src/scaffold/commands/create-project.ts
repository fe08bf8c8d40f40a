import { withResource } from "../../project/change-project.ts";
import { ProblemError } from "../../project/problem-error.ts";
import { type Project, readProject } from "../../project/project-file.ts";
import { type Resource, resource } from "../../project/resource.ts";
import { MemoryTree } from "../files/memory-tree.ts";
import { operationsTo, type Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import { projectHeader } from "../parts/boilerplate.ts";
import type { Templates } from "../templates/templates.ts";
import { type ReplayInput, replayOn } from "./replay.ts";

/** The input of `create project`: that of a project without kinds. */
export type CreateProjectInput = Pick<
  ReplayInput,
  "project" | "npm" | "boilerplate" | "year" | "references" | "coreKinds" | "packageManager"
>;

/** Returns the kind of a new project's example. */
function exampleKind(domain: string): Resource {
  return resource({ group: "web", version: "v1", kind: "Website", domain, namespaced: true });
}

/**
 * Plans a project with the example kind Website: the files of `init` and `create api`, and over them the code of the example. For
 * `upgrade` and `delete`, the example is an edit of the user.
 *
 * @throws ProblemError if files already exist
 */
export async function planCreateProject(tree: Tree, templates: Templates, input: CreateProjectInput): Promise<Plan> {
  const website = exampleKind(input.project.domain);
  const project = withWebsite(input.project, website);
  const draft = new MemoryTree(tree);
  await replayOn(draft, templates, { ...input, project });
  const values = {
    header: projectHeader(draft, input.year),
    group: website.qualifiedGroup,
    apiVersion: `${website.qualifiedGroup}/${website.version}`,
    projectName: project.projectName,
  };
  const example = new Map(templates.render("website", values).map(({ path, content }) => [path, content]));
  draft.apply({ root: draft.root, operations: operationsTo(draft, example), kept: [], overwritten: [] });
  return draft.plan();
}

function withWebsite(project: Project, website: Resource): Project {
  const text = withResource(project, website, { api: true, controller: true, kstatus: true });
  const changed = readProject(text);
  if ("message" in changed) throw new ProblemError(changed.id, changed.message);
  return changed;
}
