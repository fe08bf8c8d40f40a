import { basename } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import { filesBelow } from "../files-below.ts";
import { openTree } from "../tree.ts";
import { type GoMarkers, goMarkers } from "./go-markers.ts";
import type { GoFile } from "./left-behind.ts";

/** The parts of a Go project that are migrated. Paths are relative to it, with `/`. */
export interface GoProject {
  /** The text of PROJECT. */
  readonly project: string;
  /** The license header of its files, empty for none. */
  readonly boilerplate: string;
  /** The CRDs in `config/crd/bases`, or another directory with such a path. */
  readonly definitions: readonly { readonly path: string; readonly text: string }[];
  /** The objects in `config/samples` that were changed after scaffolding. */
  readonly samples: readonly Sample[];
  /** Its own source files, without tests and generated files. */
  readonly sources: readonly GoMarkers[];
  /** All files, except hidden ones, packages and binaries. */
  readonly files: readonly GoFile[];
}

/** A file with an object. */
export interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly text: string;
}

const notItsOwn = new Set(["vendor", "node_modules", "bin", "testdata"]);
const definition = /(^|\/)crd\/bases\/(?!kustomization\.ya?ml$)[^/]+\.ya?ml$/;

/**
 * Reads a Go project.
 *
 * @throws ProblemError if there is none
 */
export function readGoProject(directory: string, shownAs: string): GoProject {
  const tree = openTree(directory);
  const project = tree.readText("PROJECT");
  if (project === undefined) {
    throw new ProblemError(
      "no-go-project",
      `${shownAs} isn't a kubebuilder project: it has no PROJECT file`,
      "specify the directory that contains go.mod, PROJECT and config/",
    );
  }
  const files = filesBelow(tree.root, "", (name) => !notItsOwn.has(name) && !name.startsWith(".")).sort();
  const textsOf = (paths: string[]) => paths.map((path) => ({ path, text: tree.readText(path) ?? "" }));
  return {
    project,
    boilerplate: tree.readText("hack/boilerplate.go.txt") ?? "",
    definitions: textsOf(files.filter((path) => definition.test(path))),
    samples: textsOf(files.filter((path) => /^config\/samples\/[^/]+\.ya?ml$/.test(path))).flatMap(sampleOf),
    sources: textsOf(
      files.filter((path) => /(?<!_test)\.go$/.test(path) && !basename(path).startsWith("zz_generated")),
    ).map(({ path, text }) => goMarkers(path, text)),
    files: files.map((path) => ({ path, text: () => tree.readText(path) ?? "" })),
  };
}

/** Returns the object of a file; none for a file with several objects, or with an unchanged one. */
function sampleOf({ text }: { readonly text: string }): Sample[] {
  const valuesOf = (key: RegExp) => [...text.matchAll(key)].map(([, value]) => value);
  const [apiVersion, ...more] = valuesOf(/^apiVersion:[ \t]+(\S+)/gm);
  const [kind] = valuesOf(/^kind:[ \t]+(\S+)/gm);
  const scaffolded = /TODO\(user\)/.test(text);
  return apiVersion === undefined || kind === undefined || more.length > 0 || scaffolded
    ? []
    : [{ apiVersion, kind, text }];
}
