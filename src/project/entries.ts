import type { Project, ProjectResource } from "./project-file.ts";
import type { Resource } from "./resource.ts";

/** Whether an entry is about a group and kind, in whatever version. */
export function sameKind(entry: ProjectResource, other: Resource): boolean {
  return (entry.group ?? "") === other.group && (entry.domain ?? "") === other.domain && entry.kind === other.kind;
}

/** Whether an entry is about a group, version and kind. */
export function sameResource(entry: ProjectResource, other: Resource): boolean {
  return sameKind(entry, other) && entry.version === other.version;
}

/** What a project records of a resource. */
export function entryOf(project: Project, of: Resource): ProjectResource | undefined {
  return project.resources.find((entry) => sameResource(entry, of));
}

/** What a project records under names as flags give them: the group without a domain. */
export function entryNamed(
  project: Project,
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
): ProjectResource | undefined {
  return project.resources.find(
    (entry) => (entry.group ?? "") === group && entry.version === version && entry.kind === kind,
  );
}

/** The versions of a resource's kind that have types in the project. */
export function versionsOf(project: Project, of: Resource): ProjectResource[] {
  return project.resources.filter((entry) => entry.api !== undefined && sameKind(entry, of));
}
