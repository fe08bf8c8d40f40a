import { basename, dirname, posix } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import { filesBelow } from "../files/files-below.ts";
import { openTree, type Tree } from "../files/tree.ts";
import { type GoMarkers, goMarkers } from "./go-markers.ts";
import { isBuilt, isInPaths } from "./go-packages.ts";
import type { GoFile } from "./left-behind.ts";
import { type Generations, generationsOf } from "./makefile.ts";
import type { GoSamples, Sample } from "./samples.ts";

/** The parts of a Go project that are migrated. Paths are relative to it, with `/`. */
export interface GoProject {
  /** The text of PROJECT. */
  readonly project: string;
  /** The path of its Go module; undefined without a go.mod. */
  readonly module: string | undefined;
  /** The license header of its files, empty for none. */
  readonly boilerplate: string;
  /** How it calls controller-gen. */
  readonly generations: Generations;
  readonly samples: GoSamples;
  /** Its own source files, without tests and generated files. */
  readonly sources: readonly GoMarkers[];
  /** The names of the structs in its code, also in tests; undefined without code. */
  readonly types: ReadonlySet<string> | undefined;
  /** All files, except hidden ones, packages and binaries. */
  readonly files: readonly GoFile[];
}

/** The names of the files that controller-gen writes. */
const outputName = { crd: /^[^_]*_.*\.yaml$/, rbac: /^role\.yaml$/, webhook: /^manifests\.yaml$/ };
const notItsOwn = new Set(["vendor", "node_modules", "bin", "testdata"]);

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
  const paths = filesBelow(tree.root, "", (name) => !notItsOwn.has(name) && !name.startsWith(".")).sort();
  const files = paths.map((path) => ({ path, text: () => tree.readText(path) ?? "" }));
  const read = (matches: RegExp) => files.filter(({ path }) => matches.test(path)).map(withText);
  const code = read(/\.go$/);
  const generations = generationsOf({
    makefiles: makefilesOf(tree, paths),
    directives: code.filter(({ text }) => /^\/\/go:generate\s.*controller-gen/m.test(text)),
    script: (path) => files.find((file) => file.path === path)?.text(),
    isWritten: (output, generator) =>
      paths.some((path) => dirname(path) === output && outputName[generator].test(basename(path))),
  });
  const mod = tree.readText("go.mod");
  return {
    project,
    module: mod === undefined ? undefined : /^module\s+"?([^\s"]+)/m.exec(mod)?.[1],
    boilerplate: tree.readText("hack/boilerplate.go.txt") ?? "",
    generations,
    samples: samplesIn(files),
    sources: sourcesOf(code, paths, generations),
    types: code.length === 0 ? undefined : new Set(code.flatMap(({ text }) => structsIn(text))),
    files,
  };
}

/** The names of Makefiles, in the order in which make searches for them. */
const makefileNames = ["GNUmakefile", "makefile", "Makefile"];
/** The most files that a Makefile may include. */
const mostIncluded = 100;

/** Returns the Makefile, which may be a link, the files that it includes, and other files that it may include by a computed name. */
function makefilesOf(tree: Tree, paths: readonly string[]) {
  const names = makefileNames.filter((name) => tree.read(name) !== undefined).slice(0, 1);
  const includable = paths.filter((path) => /^([^/]+\/)?[^/]+\.mk$/.test(path));
  const found = new Map<string, string>();
  for (const path of [...names, ...includable]) addMakefile(tree, path, found);
  return [...found].map(([path, text]) => ({ path, text }));
}

function addMakefile(tree: Tree, path: string, found: Map<string, string>): void {
  const text = found.has(path) || found.size > mostIncluded ? undefined : tree.readText(path);
  if (text === undefined) return;
  found.set(path, text);
  for (const [, included = ""] of text.matchAll(/^ *-?s?include[ \t]+([^#\n]+)/gm)) {
    for (const name of included.trim().split(/\s+/).filter(isInside)) addMakefile(tree, posix.normalize(name), found);
  }
}

/** Whether an included path is inside the project and has no variables or patterns. */
const isInside = (name: string): boolean => /^[\w./-]+$/.test(name) && !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(name);

const structsIn = (text: string): string[] =>
  [...text.matchAll(/^[ \t]*(?:type[ \t]+)?(\w+)(?:\[[^\]\n]*\])?[ \t]+(?:=[ \t]*)?(?:struct\b|\w+\.\w+$)/gm)].map(
    ([, name = ""]) => name,
  );

const withText = ({ path, text }: GoFile) => ({ path, text: text() });

/** Returns the markers of the Go files that controller-gen reads for roles and webhooks. */
function sourcesOf(
  files: readonly { readonly path: string; readonly text: string }[],
  paths: readonly string[],
  { rbac, webhook }: Generations,
): GoMarkers[] {
  const isWritten = paths.some((path) =>
    ["config/rbac/role.yaml", `${rbac?.output ?? "config/rbac"}/role.yaml`].includes(path),
  );
  const modules = paths.filter((path) => path.endsWith("/go.mod")).map((path) => dirname(path));
  const sources = files
    .filter(({ path, text }) => isBuilt(path, text))
    .map(({ path, text }): GoMarkers => {
      const { roles, webhooks, configurations, unread } = goMarkers(path, text);
      const directory = dirname(path) === "." ? "" : dirname(path);
      const isIn = (each: { paths: readonly string[] } | undefined) =>
        each !== undefined && isInPaths(directory, each.paths, modules);
      return {
        path,
        roles: isIn(rbac) ? roles : [],
        webhooks: isIn(webhook) ? webhooks : [],
        configurations: isIn(webhook) ? configurations : [],
        unread,
        outside: [...(isIn(rbac) ? [] : roles), ...(isIn(webhook) ? [] : webhooks)],
      };
    });
  return isWritten || sources.some(({ roles }) => roles.length > 0) ? sources : sources.map(adopted);
}

/** Uses the roles of a package that controller-gen isn't called for: without them, the new operator would have no permissions. */
function adopted(source: GoMarkers): GoMarkers {
  const isRole = ({ text }: GoMarkers["outside"][number]) => text.startsWith("+kubebuilder:rbac:");
  const roles = source.outside.filter(isRole);
  if (roles.length === 0) return source;
  return { ...source, roles, outside: source.outside.filter((marker) => !isRole(marker)), isAdopted: true };
}

function samplesIn(files: readonly GoFile[]): GoSamples {
  const yaml = files.filter(({ path }) => /\.ya?ml$/.test(path));
  const isSample = ({ path }: GoFile) => path.startsWith("config/samples/");
  return {
    // Objects with this comment are unchanged since they were scaffolded.
    samples: yaml.filter(isSample).flatMap((file) => objectsIn(file).filter(({ text }) => !/TODO\(user\)/.test(text))),
    inOtherFiles: (apiVersion, kind) =>
      yaml
        .filter((file) => !isSample(file) && file.text().includes(`kind: ${kind}`))
        .flatMap((file) => objectsIn(file))
        .filter((sample) => sample.apiVersion === apiVersion && sample.kind === kind),
  };
}

/** Returns the objects of a file. */
function objectsIn(file: GoFile): Sample[] {
  let offset = 0;
  return file
    .text()
    .split(/^---[^\n]*\n/m)
    .flatMap((text) => {
      const before = offset;
      offset += text.split("\n").length;
      const read = (key: string) => new RegExp(`^${key}:[ \\t]+["']?([^\\s"'#]+)`, "m").exec(text)?.[1];
      const [apiVersion, kind] = [read("apiVersion"), read("kind")];
      return apiVersion === undefined || kind === undefined
        ? []
        : [{ path: file.path, offset: before, apiVersion, kind, text }];
    });
}
