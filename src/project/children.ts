import type { Problem } from "./problem.ts";
import type { Project } from "./project-file.ts";
import type { Resource } from "./resource.ts";

/** The kind of the example child that `create api --children` scaffolds. */
export const exampleChild = "ConfigMap";

/**
 * Checks whether a controller of a kind can have a set of children.
 *
 * @param of - the kind, whose names are valid
 * @param controller - whether a controller is created
 * @returns undefined if it can
 */
export function childrenProblem(
  project: Pick<Project, "namespaced">,
  of: Pick<Resource, "kind" | "namespaced">,
  controller: boolean,
): Pick<Problem, "message" | "hint"> | undefined {
  if (!controller)
    return { message: "--children can't be combined with --controller=false: it changes the controller" };
  if (of.kind === exampleChild) {
    return {
      message: `--children can't be combined with the kind ${exampleChild}: the example child would have the kind and name of its owner`,
      hint: "omit --children, and declare the children with childrenOf",
    };
  }
  if (project.namespaced && !of.namespaced) {
    return {
      message: `--children can't be combined with a cluster-scoped kind in a namespaced project: ${of.kind} has no namespace for the example child`,
      hint: "omit --children, and declare the children with childrenOf",
    };
  }
  return undefined;
}
