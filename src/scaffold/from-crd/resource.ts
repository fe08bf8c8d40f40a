import { kindProblem } from "../../project/kind-names.ts";
import { isSubdomain, pluralProblem, shown, versionProblem } from "../../project/names.ts";
import { inputProblem, type Problem } from "../../project/problem.ts";
import { modelOf, type Project } from "../../project/project-file.ts";
import { groupParts, type Resource, resource } from "../../project/resource.ts";
import type { Crd, CrdVersion } from "./document.ts";

/**
 * A version of a definition as a resource of the project. A group that doesn't end in the project's domain is a foreign one: it is
 * recorded whole, without a domain. Beside another group it has directories of its own.
 */
export function resourceOf(crd: Crd, version: Pick<CrdVersion, "name">, project: Project): Resource {
  const { group, names, scope } = crd.spec;
  const parts = groupParts(group, project.domain);
  return resource({
    ...parts,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    namespaced: scope === "Namespaced",
    apart: parts.domain === "" && isApart(group, project),
  });
}

/** Where kinds of a foreign group are already, the next ones go; else it stands apart where another group has the place. */
function isApart(group: string, project: Project): boolean {
  const models = project.resources.map(modelOf).filter(({ origin }) => origin === "own");
  const same = models.find((model) => model.group === group && model.domain === "");
  return same === undefined ? models.length > 0 && !project.multigroup : same.apart === true;
}

/** Why the names of a definition can't be those of files and types. */
export function namesProblem(crd: Crd): Problem | undefined {
  const { group, names, versions } = crd.spec;
  const bad = isSubdomain(group)
    ? undefined
    : inputProblem("bad-group", `the CustomResourceDefinition's group ${shown(group)} is not a DNS name`);
  const found = [
    bad,
    ...versions.map(({ name }) => versionProblem(name)),
    kindProblem(names.kind),
    pluralProblem(names.plural),
  ];
  return found.find((problem) => problem !== undefined);
}
