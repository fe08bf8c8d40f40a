import { controllerFile, controllersOf } from "../../project/controllers.ts";
import {
  apiDirectory,
  apiRoot,
  conversionPatchFile,
  groupPrefix,
  kindFile,
  rolePrefix,
  webhookDirectory,
} from "../../project/paths.ts";
import { modelOf, type Project, type ProjectResource } from "../../project/project-file.ts";
import { hasTypes } from "../../project/resource.ts";

/** Returns the new path of a project file; the same path if it doesn't move. Both are relative, with `/`. */
export type Move = (path: string) => string;

type Layout = Pick<Project, "multigroup">;
/** The old and new prefix of paths. */
type Pair = readonly [from: string, to: string];

/** Returns the moves of files for a changed layout. Both projects have the same resources. */
export function movesBetween(before: Project, after: Project): Move {
  const pairs = [...before.resources.flatMap((entry) => pairsOf(entry, before, after)), ...directories(before, after)];
  // The longest prefix wins. A prefix may stay the same within a directory that moves.
  const sorted = pairs.sort(([a], [b]) => b.length - a.length);
  return (path) => {
    const pair = sorted.find(([from]) => path.startsWith(from));
    return pair === undefined ? path : pair[1] + path.slice(pair[0].length);
  };
}

/** Returns the prefixes of the files of one resource. */
function pairsOf(entry: ProjectResource, before: Layout, after: Layout): Pair[] {
  const resource = modelOf(entry);
  const file = kindFile(resource.kind);
  const both = (place: (layout: Layout) => string): Pair => [place(before), place(after)];
  return [
    both((layout) => `${apiDirectory(resource, layout)}/`),
    ...controllersOf(entry).map((name) => both((layout) => controllerFile(resource, name, layout).replace(/ts$/, ""))),
    both((layout) => `${webhookDirectory(resource, layout)}/${file}-webhook.`),
    both((layout) => `config/crd/patches/${conversionPatchFile(resource, layout)}`),
    ...["admin", "editor", "viewer"].map((role) =>
      both((layout) => `config/rbac/${rolePrefix(resource, layout)}_${role}_role.yaml`),
    ),
  ];
}

/**
 * Returns the prefixes of directories, for files that the user has added next to scaffolded ones. They belong to the group
 * of their directory, or otherwise to the project's own group.
 */
function directories(before: Layout & Pick<Project, "resources">, after: Layout): Pair[] {
  const own = before.resources.map(modelOf).filter(hasTypes);
  const groups = [
    ...own.filter(({ apart }) => apart === true),
    ...own.filter(({ apart }) => apart !== true).slice(0, 1),
  ];
  return groups.flatMap((resource) =>
    ["api", "src/controller", "src/webhook"].map((top): Pair => {
      const place = (layout: Layout) =>
        top === "api" ? apiRoot(resource, layout) : `${top}/${groupPrefix(resource, layout)}`;
      return [place(before), place(after)];
    }),
  );
}
