import { controllerFile, controllersOf } from "../../project/controllers.ts";
import {
  apiDirectory,
  conversionPatchFile,
  groupPrefix,
  kindFile,
  rolePrefix,
  webhookDirectory,
} from "../../project/paths.ts";
import { modelOf, type Project, type ProjectResource } from "../../project/project-file.ts";

/** Where a file of the project will be, both relative with `/`; a file that doesn't move gives its own path. */
export type Move = (path: string) => string;

type Layout = Pick<Project, "multigroup">;
/** What begins with the one will begin with the other. */
type Pair = readonly [from: string, to: string];

/** Where files go when a project's layout changes from the one to the other. The resources are the same in both. */
export function movesBetween(before: Project, after: Project): Move {
  const pairs = [...before.resources.flatMap((entry) => pairsOf(entry, before, after)), ...directories(before, after)];
  // The longest beginning is the most particular one: what stays within a directory that moves is a pair too.
  const sorted = pairs.sort(([a], [b]) => b.length - a.length);
  return (path) => {
    const pair = sorted.find(([from]) => path.startsWith(from));
    return pair === undefined ? path : pair[1] + path.slice(pair[0].length);
  };
}

/** The places of what belongs to one resource. */
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
 * What the user has put beside the scaffolded files goes with them: it belongs to the project's own group, or to the one
 * whose directory it lies in.
 */
function directories(before: Layout & Pick<Project, "resources">, after: Layout): Pair[] {
  const own = before.resources.map(modelOf).filter(({ origin }) => origin === "own");
  const groups = [
    ...own.filter(({ apart }) => apart === true),
    ...own.filter(({ apart }) => apart !== true).slice(0, 1),
  ];
  return groups.flatMap((resource) =>
    ["api", "src/controller", "src/webhook"].map((top): Pair => {
      const place = (layout: Layout) => `${top}/${groupPrefix(resource, layout)}`;
      return [place(before), place(after)];
    }),
  );
}
