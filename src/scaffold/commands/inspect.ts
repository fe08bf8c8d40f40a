import { controllerFile, controllersOf } from "../../project/controllers.ts";
import { entryHasTypes } from "../../project/entries.ts";
import { apiDirectory, conversionFile, kindFile, webhookFile } from "../../project/paths.ts";
import { modelOf, type Project, type ProjectResource } from "../../project/project-file.ts";
import type { Tree } from "../files/tree.ts";
import { anchorsOf, nearAnchor } from "../plan/anchors.ts";
import { pristineTexts } from "../pristine/pristine.ts";

/** A missing part of the project: a file, a line, or a decision. */
export interface Missing {
  readonly id: "missing-file" | "missing-anchor" | "merge-conflict";
  /** Relative to the project. */
  readonly file: string;
  readonly message: string;
  readonly hint: string;
}

/**
 * Finds the missing parts of the project: the files of PROJECT's resources, and the anchors for commands. The pristine copy
 * of a file determines its anchors.
 */
export function missingParts(tree: Tree, project: Project): Missing[] {
  const parts = project.resources.flatMap((entry) => filesOf(entry, project));
  const wanted = [...new Set(["package.json", "src/main.ts", ...parts])];
  const absent = wanted.filter((file) => tree.read(file) === undefined);
  const files = absent.map(
    (file): Missing => ({
      id: "missing-file",
      file,
      message: `${file} is missing`,
      hint: "restore it from version control, or remove its resource from PROJECT",
    }),
  );
  return [...files, ...[...pristineTexts(tree)].flatMap(([file, text]) => missingIn(tree, file, text))];
}

/**
 * Kustomizations that list the manifests of kinds. Manifests that aren't listed aren't applied, and commands add entries.
 */
const kustomizations = ["crd", "rbac", "default"].map((part) => `config/${part}/kustomization.yaml`);

/** Returns the required files of a resource in PROJECT. */
function filesOf(entry: ProjectResource, project: Project): string[] {
  const resource = modelOf(entry);
  const own = apiDirectory(resource, project);
  const name = kindFile(entry.kind);
  const types = entryHasTypes(entry)
    ? [`${own}/${name}-types.ts`, `${own}/groupversion-info.ts`, `${own}/index.ts`]
    : [];
  const manifests = entry.api === undefined ? [] : kustomizations;
  const controllers = controllersOf(entry).map((controller) => controllerFile(resource, controller, project));
  const webhooks = entry.webhooks === undefined ? [] : [webhookFile(resource, project)];
  const conversion = entry.webhooks?.conversion === true ? [conversionFile(resource, project)] : [];
  return [...types, ...manifests, ...controllers, ...webhooks, ...conversion];
}

function missingIn(tree: Tree, file: string, scaffolded: string): Missing[] {
  const live = tree.readText(file);
  return live === undefined ? [] : [...conflicts(live, file), ...missingAnchors(scaffolded, live, file)];
}

/** Finds conflict markers, of upgrades and of git. */
function conflicts(live: string, file: string): Missing[] {
  const begin = live.search(/^<<<<<<< /m);
  if (begin < 0 || !/^>>>>>>> /m.test(live.slice(begin))) return [];
  const message = `${file} has lines that could not be merged, between <<<<<<< and >>>>>>>`;
  return [{ id: "merge-conflict", file, message, hint: "resolve the conflict, and remove the markers" }];
}

function missingAnchors(scaffolded: string, live: string, file: string): Missing[] {
  const have = new Set(anchorsOf(live));
  const lost = anchorsOf(scaffolded).filter((anchor) => !have.has(anchor));
  return lost.map((anchor) => ({
    id: "missing-anchor",
    file,
    message: `${file} no longer has the line "+kubebuilder:scaffold:${anchor}"${nearAnchor(live, anchor)}`,
    hint: "restore the comment: commands add their lines above it",
  }));
}
