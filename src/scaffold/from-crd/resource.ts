import type { CrdVersion, CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { isKind } from "../../project/kind-names.ts";
import { existingVersionProblem, isSubdomain, pluralProblem } from "../../project/names.ts";
import { inputProblem, type Problem } from "../../project/problem.ts";
import { modelOf, type Project } from "../../project/project-file.ts";
import { groupParts, hasTypes, type Resource, resource } from "../../project/resource.ts";
import { shown } from "../../text/shown.ts";

/**
 * Converts a version of a CRD to a resource of the project. A group that doesn't end with the project's domain is foreign:
 * it is recorded as a whole, without a domain. It has its own directories if the project has another group, or if its kinds are
 * external.
 *
 * @param external whether the CRD belongs to another project
 */
export function resourceOf(
  crd: CustomResourceDefinition,
  version: Pick<CrdVersion, "name">,
  project: Project,
  external = false,
): Resource {
  const { group, names, scope } = crd.spec;
  const parts = groupParts(group, project.domain);
  return resource({
    ...parts,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    namespaced: scope === "Namespaced",
    origin: external ? "external" : "own",
    foreign: external && !isBeside(group, version.name, project),
    apart: external || (parts.domain === "" && isApart(group, project)),
  });
}

/**
 * Whether a group has its own directories: it uses the same ones as existing kinds of the group, or its own if another group
 * uses the main ones.
 */
function isApart(group: string, project: Project): boolean {
  const models = project.resources.map(modelOf).filter(({ origin }) => origin === "own");
  const same = models.find((model) => model.group === group && model.domain === "");
  return same === undefined ? models.length > 0 && !project.multigroup : same.apart === true;
}

/** Whether the types of a group's external kinds are where earlier versions created them: not in `api/external/`. */
function isBeside(group: string, version: string, project: Project): boolean {
  const models = project.resources.map(modelOf).filter((model) => model.origin === "external" && hasTypes(model));
  const same = models.find((model) => model.qualifiedGroup === group && model.version === version);
  return same !== undefined && same.foreign !== true;
}

/** Checks whether the names in a CRD can be names of files and types. */
export function namesProblem(crd: CustomResourceDefinition): Problem | undefined {
  const { group, names, versions } = crd.spec;
  const bad = isSubdomain(group)
    ? undefined
    : inputProblem("bad-group", `the CustomResourceDefinition's group ${shown(group)} is not a DNS name`);
  const problems = [
    bad,
    ...versions.map(({ name }) => existingVersionProblem(name)),
    isKind(names.kind)
      ? undefined
      : inputProblem("bad-kind", `the CustomResourceDefinition's kind ${shown(names.kind)} is not a DNS label`),
    pluralProblem(names.plural),
  ];
  return problems.find((problem) => problem !== undefined);
}
