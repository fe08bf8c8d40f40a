import { printYaml } from "@kubewright/cel/yaml";
import { readValues } from "../../yaml/values.ts";
import type { Tree } from "../files/tree.ts";
import { isMap } from "../text/maps.ts";

/** A file of a Go project. */
export interface GoFile {
  readonly path: string;
  /** Reads the file on demand. */
  readonly text: () => string;
}

/**
 * Go files that kubebuilder scaffolds, by their names: skeletons replace them. Other files in these directories are the
 * user's own code.
 */
const code = new RegExp(
  [
    "^(cmd/(.*/)?)?main\\.go$",
    "^apis?/(.*/)?(groupversion_info|doc|register|[^/]*_(types|conversion|webhook|test))\\.go$",
    "^(controllers|internal/controller)/(.*/)?[^/]*_(controller|test)\\.go$",
    "^internal/webhook/(.*/)?[^/]*_(webhook|test)\\.go$",
    "^test/",
    "^(go\\.(mod|sum|work|work\\.sum)|PROJECT|hack/boilerplate\\.go\\.txt)$",
  ].join("|"),
);
/** Generated files, which are generated again. */
const generated = /(^|\/)crd\/bases\/|^config\/rbac\/role\.yaml$|^dist\/|(^|\/)zz_generated\./;

/** Files under config/ whose content isn't compared: samples, and webhooks, which are generated or copied. */
const unlike = /^config\/(samples\/|webhook\/manifests\.yaml$)/;

/**
 * Lists the parts of a Go project that aren't migrated: files and directories without a counterpart, and settings under
 * config/ that the new project doesn't have.
 *
 * @param draft the new project
 * @param copied files that are in the new project at other paths
 * @returns one line per part
 */
export function leftBehind(files: readonly GoFile[], draft: Tree, copied: readonly string[]): string[] {
  const isTaken = ({ path }: GoFile) =>
    code.test(path) || generated.test(path) || copied.includes(path) || draft.read(path) !== undefined;
  const left = files.filter((file) => !isTaken(file)).map(({ path }) => path);
  const kept = files.filter(isTaken).map(({ path }) => path);
  const names = new Set(left.map((path) => widest(path, kept)));
  const changes = files
    .filter(({ path }) => /^config\/.*\.ya?ml$/.test(path) && !unlike.test(path) && !generated.test(path))
    .flatMap(({ path, text }) => {
      const ours = draft.readText(path);
      return ours === undefined ? [] : changesIn(path, text(), ours);
    });
  return [...names, ...changes].sort().map((what) => `not taken over: ${what}`);
}

/** Returns the highest directory above a file without any migrated files, with a slash; otherwise the file. */
function widest(path: string, kept: readonly string[]): string {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const directory = `${parts.slice(0, depth).join("/")}/`;
    if (!kept.some((each) => each.startsWith(directory))) return directory;
  }
  return path;
}

function changesIn(path: string, theirs: string, ours: string): string[] {
  try {
    const own = new Map(readValues(ours).map((value) => [nameOf(value), value]));
    return readValues(theirs).flatMap((value) => {
      const name = nameOf(value);
      const where = name === "" ? path : `${path}: ${name}`;
      if (!own.has(name)) return [where];
      return missing(value, own.get(name), "").map((field) => `${path}: ${name === "" ? "" : `${name}, `}${field}`);
    });
  } catch {
    return [`${path}, which can't be read`];
  }
}

/** Returns a name such as `Deployment controller-manager`; empty for a kustomization. */
function nameOf(value: unknown): string {
  if (!isMap(value) || !isMap(value.metadata)) return "";
  return `${value.kind} ${value.metadata.name}`;
}

/** Settings that differ between Go and Node. */
const platform = new Set(["image", "command", "resources", "labels"]);

/** Returns the paths of values that are missing or different in `ours`. */
function missing(theirs: unknown, ours: unknown, path: string): string[] {
  if (isMap(theirs) && isMap(ours)) {
    return Object.entries(theirs).flatMap(([key, value]) => {
      if (platform.has(key)) return [];
      const at = path === "" ? key : `${path}.${key}`;
      if (Object.hasOwn(ours, key)) return missing(value, ours[key], at);
      // The entries of a list are named, even if the whole list is missing.
      return Array.isArray(value) ? missing(value, [], at) : [at];
    });
  }
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    const own = new Map<string, unknown>(ours.map((entry) => [entryName(entry), entry]));
    return theirs.flatMap((entry) => {
      const name = entryName(entry);
      const at = `${path}[${labelOf(entry)}]`;
      return own.has(name) ? missing(entry, own.get(name), at) : [at];
    });
  }
  return printYaml(theirs) === printYaml(ours) ? [] : [path];
}

/** Returns the key that identifies a list entry. */
function entryName(entry: unknown): string {
  if (isMap(entry) && typeof entry.name === "string") return entry.name;
  return typeof entry === "string" ? entry : printYaml(entry).trimEnd();
}

/** In characters. */
const longestLabel = 60;

/** Returns how a list entry is called: its name, or its fields as in YAML. */
function labelOf(entry: unknown): string {
  const label = isMap(entry) && typeof entry.name !== "string" ? fieldsOf(entry) : entryName(entry);
  return label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label;
}

/** Returns the fields of an entry without a name, such as `path: cert_patch.yaml` or `resources: games, verbs: get, list`. */
function fieldsOf(entry: Record<string, unknown>): string {
  const text = (value: unknown): string => {
    if (isMap(value)) return `{ ${fieldsOf(value)} }`;
    return Array.isArray(value) ? value.map(text).join(", ") : String(value);
  };
  return Object.entries(entry)
    .map(([key, value]) => `${key}: ${text(value)}`)
    .join(", ");
}
