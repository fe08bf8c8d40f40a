import { basename } from "node:path";
import { filesBelow } from "../files-below.ts";
import { ScaffoldError } from "../scaffold-error.ts";
import { openTree } from "../tree.ts";
import { type GoMarkers, goMarkers } from "./go-markers.ts";
import type { GoFile } from "./left-behind.ts";

/** What is taken over from a project in Go. Paths are relative to it, with `/`. */
export interface GoProject {
  /** The text of PROJECT. */
  readonly project: string;
  /** The head of its files, empty for none. */
  readonly boilerplate: string;
  /** What controller-gen has written to `config/crd/bases`, or to another directory of that name. */
  readonly definitions: readonly { readonly path: string; readonly text: string }[];
  /** The objects in `config/samples` that are more than scaffolded. */
  readonly samples: readonly Sample[];
  /** Its own sources, without tests and generated ones. */
  readonly sources: readonly GoMarkers[];
  /** All files, but those of tools: hidden ones, packages, programs. */
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

/** Reads a project in Go. Throws a ScaffoldError where there is none. */
export function readGoProject(directory: string, shownAs: string): GoProject {
  const tree = openTree(directory);
  const project = tree.readText("PROJECT");
  if (project === undefined) {
    throw new ScaffoldError(
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

/** The object of a file: of one with several, or with nothing of the user's in it, there is none. */
function sampleOf({ text }: { readonly text: string }): Sample[] {
  const valuesOf = (key: RegExp) => [...text.matchAll(key)].map(([, value]) => value);
  const [apiVersion, ...more] = valuesOf(/^apiVersion:[ \t]+(\S+)/gm);
  const [kind] = valuesOf(/^kind:[ \t]+(\S+)/gm);
  const scaffolded = /TODO\(user\)/.test(text);
  return apiVersion === undefined || kind === undefined || more.length > 0 || scaffolded
    ? []
    : [{ apiVersion, kind, text }];
}
