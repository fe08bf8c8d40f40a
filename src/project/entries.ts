import { didYouMean } from "../diagnostics/did-you-mean.ts";
import type { Project, ProjectResource } from "./project-file.ts";
import { qualifiedGroup, type Resource } from "./resource.ts";

/** Whether an entry has the same group and kind, regardless of the version, and of how the group is split into group and domain. */
export function sameKind(entry: ProjectResource, other: Resource): boolean {
  const groups = [entry, other].map(({ group = "", domain = "" }) => qualifiedGroup(group, domain));
  return groups[0] === groups[1] && entry.kind === other.kind;
}

/** Whether an entry has the same group, version and kind. */
export function sameResource(entry: ProjectResource, other: Resource): boolean {
  return sameKind(entry, other) && entry.version === other.version;
}

/** Returns a resource's entry in PROJECT. */
export function entryOf(project: Project, of: Resource): ProjectResource | undefined {
  return project.resources.find((entry) => sameResource(entry, of));
}

/**
 * Returns the entry in PROJECT for values of flags, where the group has no domain.
 *
 * @param domain - the domain that selects among equal names, which external kinds and migrated projects can have. The default,
 *   and that of any other value, is the first entry.
 */
export function entryNamed(
  project: Project,
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
  domain?: string,
): ProjectResource | undefined {
  const entries = project.resources.filter(
    (entry) => (entry.group ?? "") === group && entry.version === version && entry.kind === kind,
  );
  return entries.find((entry) => (entry.domain ?? "") === domain) ?? entries[0];
}

/** Returns the kinds in PROJECT as `group/version Kind`, and the one that is most similar to the values of flags. */
export function similarEntries(
  project: Project,
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
): { readonly present: readonly string[]; readonly near: string | undefined } {
  const present = project.resources.map((resource) => `${resource.group ?? ""}/${resource.version} ${resource.kind}`);
  return { present, near: didYouMean(`${group}/${version} ${kind}`, present) };
}

/** Whether the types of a resource are in the project. */
export function entryHasTypes({ api, localTypes }: ProjectResource): boolean {
  return api !== undefined || localTypes === true;
}

/** Returns the versions of a resource's kind that have types in the project. */
export function versionsOf(project: Project, of: Resource): ProjectResource[] {
  return project.resources.filter((entry) => entryHasTypes(entry) && sameKind(entry, of));
}
