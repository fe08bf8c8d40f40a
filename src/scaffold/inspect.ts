import { controllerFile, controllersOf } from "../project/controllers.ts";
import { apiDirectory, conversionFile, kindFile, webhookFile } from "../project/paths.ts";
import { modelOf, type Project, type ProjectResource } from "../project/project-file.ts";
import { anchorsOf, nearAnchor } from "./anchors.ts";
import { pristineFiles, readPristine } from "./pristine.ts";
import type { Tree } from "./tree.ts";

/** Something that the project needs and that isn't there. */
export interface Missing {
  readonly id: "missing-file" | "missing-anchor";
  /** Relative to the project. */
  readonly file: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * What of the project's parts is gone: the files that PROJECT's resources stand for, and the anchors that commands put
 * their lines at. Which anchors a file has to have, its pristine copy tells.
 */
export function missingParts(tree: Tree, project: Project): Missing[] {
  const wanted = [
    ...new Set(["package.json", "src/main.ts", ...project.resources.flatMap((entry) => filesOf(entry, project))]),
  ];
  const absent = wanted.filter((file) => tree.read(file) === undefined);
  const files = absent.map(
    (file): Missing => ({
      id: "missing-file",
      file,
      message: `${file} is missing`,
      hint: "restore it from version control, or remove what it belongs to from PROJECT",
    }),
  );
  return [...files, ...pristineFiles(tree).flatMap((file) => missingAnchors(tree, file))];
}

/** The files without which a resource of PROJECT is nothing. */
function filesOf(entry: ProjectResource, project: Project): string[] {
  const resource = modelOf(entry);
  const own = apiDirectory(resource, project);
  const name = kindFile(entry.kind);
  const types =
    entry.api === undefined ? [] : [`${own}/${name}-types.ts`, `${own}/groupversion-info.ts`, `${own}/index.ts`];
  const controllers = controllersOf(entry).map((controller) => controllerFile(resource, controller, project));
  const webhooks = entry.webhooks === undefined ? [] : [webhookFile(resource, project)];
  const conversion = entry.webhooks?.conversion === true ? [conversionFile(resource, project)] : [];
  return [...types, ...controllers, ...webhooks, ...conversion];
}

function missingAnchors(tree: Tree, file: string): Missing[] {
  const live = tree.readText(file);
  if (live === undefined) return [];
  const have = new Set(anchorsOf(live));
  const lost = anchorsOf(readPristine(tree, file) ?? "").filter((anchor) => !have.has(anchor));
  return lost.map((anchor) => ({
    id: "missing-anchor",
    file,
    message: `${file} has no line "+kubebuilder:scaffold:${anchor}" any more${nearAnchor(live, anchor)}`,
    hint: "put the comment back: without it commands can't add their lines to this file",
  }));
}
