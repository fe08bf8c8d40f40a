import { controllerFile, controllersOf } from "../project/controllers.ts";
import { apiDirectory, conversionFile, kindFile, webhookFile } from "../project/paths.ts";
import { modelOf, type Project, type ProjectResource } from "../project/project-file.ts";
import { anchorsOf, nearAnchor } from "./anchors.ts";
import { type PristineCopies, readPristineCopies } from "./pristine.ts";
import { archivePath } from "./pristine-archive.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Tree } from "./tree.ts";

/** A missing part of the project: a file, a line, or a decision. */
export interface Missing {
  readonly id: "missing-file" | "missing-anchor" | "merge-conflict" | "merged-archive" | "broken-archive";
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
  return [...files, ...missingInFiles(tree)];
}

/** Finds the missing parts of scaffolded files, or the reason why their pristine copies can't be read. */
function missingInFiles(tree: Tree): Missing[] {
  let copies: PristineCopies;
  try {
    copies = readPristineCopies(tree);
  } catch (error) {
    if (!(error instanceof ScaffoldError) || (error.id !== "merged-archive" && error.id !== "broken-archive"))
      throw error;
    return [{ id: error.id, file: archivePath, message: error.message, hint: error.hint ?? "" }];
  }
  return [...copies].flatMap(([file, copy]) => missingIn(tree, file, copy));
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
  const types =
    entry.api === undefined
      ? []
      : [`${own}/${name}-types.ts`, `${own}/groupversion-info.ts`, `${own}/index.ts`, ...kustomizations];
  const controllers = controllersOf(entry).map((controller) => controllerFile(resource, controller, project));
  const webhooks = entry.webhooks === undefined ? [] : [webhookFile(resource, project)];
  const conversion = entry.webhooks?.conversion === true ? [conversionFile(resource, project)] : [];
  return [...types, ...controllers, ...webhooks, ...conversion];
}

function missingIn(tree: Tree, file: string, copy: string): Missing[] {
  const live = tree.readText(file);
  return live === undefined ? [] : [...conflicts(live, file), ...missingAnchors(live, file, copy)];
}

/** Finds conflict markers, of upgrades and of git. */
function conflicts(live: string, file: string): Missing[] {
  const begin = live.search(/^<<<<<<< /m);
  if (begin < 0 || !/^>>>>>>> /m.test(live.slice(begin))) return [];
  const message = `${file} has lines that could not be merged, between <<<<<<< and >>>>>>>`;
  return [{ id: "merge-conflict", file, message, hint: "resolve the conflict, and remove the markers" }];
}

function missingAnchors(live: string, file: string, copy: string): Missing[] {
  const have = new Set(anchorsOf(live));
  const lost = anchorsOf(copy).filter((anchor) => !have.has(anchor));
  return lost.map((anchor) => ({
    id: "missing-anchor",
    file,
    message: `${file} no longer has the line "+kubebuilder:scaffold:${anchor}"${nearAnchor(live, anchor)}`,
    hint: "restore the comment: commands add their lines above it",
  }));
}
