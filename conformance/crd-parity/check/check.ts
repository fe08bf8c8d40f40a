// Compares a translated project with the manifest, which lists the findings of controller-gen's own collector in the Go
// source: both must have the same properties, optionality, descriptions and markers.
//
//   node --import tsx check.ts <project> <manifest.json>
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { type Comments, commentsOf, isMarker } from "./comments.ts";

/** The file that translate/manifest.go describes. */
interface Manifest {
  readonly Types: readonly ManifestType[];
  /** The names of the markers that are defined for a target. */
  readonly Definitions: Readonly<Record<Target, readonly string[]>>;
  readonly Stats: { readonly Types: number; readonly Fields: number };
}
type Target = "type" | "field";

interface Documented {
  readonly Doc: string;
  /** How often it has each marker. */
  readonly Markers?: Readonly<Record<string, number>> | null;
}

interface ManifestType extends Documented {
  readonly File: string;
  readonly Name: string;
  readonly Fields?: readonly ManifestField[] | null;
}

interface ManifestField extends Documented {
  readonly JSON: string;
  readonly Optional: boolean;
}

const [project = ".", manifestFile = "manifest.json"] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as Manifest;
const errors: string[] = [];

/** Returns the description that controller-gen generates from comment lines. */
function description(lines: readonly string[]): string {
  const collapsed: string[] = [];
  for (const line of lines.filter((line) => !isMarker(line))) {
    if (line === "" && (collapsed.length === 0 || collapsed.at(-1) === "")) continue;
    collapsed.push(line);
  }
  if (collapsed.at(-1) === "") collapsed.pop();
  const kept: string[] = [];
  let fenced = false;
  for (const line of collapsed) {
    if (line.startsWith("```") || line.startsWith("~~~")) fenced = !fenced;
    if (!fenced && line.startsWith("TODO")) continue;
    if (!fenced && line.startsWith("---")) break;
    kept.push(line);
  }
  return kept.join("\n");
}

/** Counts the markers that are defined for the target, by their defined names. */
function count(markers: readonly string[], target: Target): Record<string, number> {
  const defined = new Set(manifest.Definitions[target]);
  const counts: Record<string, number> = {};
  for (const marker of markers) {
    const [left = ""] = marker.slice(1).split("=");
    const longest = left.replace(/:$/, "");
    const name = [longest, longest.replace(/:[^:]*$/, "")].find((name) => defined.has(name));
    if (name) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const sorted = (counts: Documented["Markers"]): string => JSON.stringify(Object.entries(counts ?? {}).sort());

function compare(where: string, target: Target, { lines, markers }: Comments, want: Documented): void {
  const doc = description(lines);
  if (doc !== want.Doc) {
    errors.push(`${where}: description\n  want ${JSON.stringify(want.Doc)}\n  got  ${JSON.stringify(doc)}`);
  }
  const counts = sorted(count(markers, target));
  if (counts !== sorted(want.Markers)) {
    errors.push(`${where}: markers\n  want ${sorted(want.Markers)}\n  got  ${counts}`);
  }
}

const sources = new Map<string, ts.SourceFile>();
function sourceOf(file: string): ts.SourceFile {
  const path = join(project, file);
  const source =
    sources.get(file) ?? ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);
  sources.set(file, source);
  return source;
}

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
const isDeclaration = (node: ts.Node): node is Declaration =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);

let fields = 0;
for (const type of manifest.Types) {
  const where = `${type.File}: ${type.Name}`;
  const source = sourceOf(type.File);
  const node = source.statements.filter(isDeclaration).find(({ name }) => name.text === type.Name);
  if (!node) {
    errors.push(`${where}: not declared`);
    continue;
  }
  compare(where, "type", commentsOf(source, node), type);
  const members = ts.isInterfaceDeclaration(node) ? node.members : [];
  const names = members.map(({ name }) => (name && "text" in name ? name.text : ""));
  const wanted = type.Fields ?? [];
  if (names.join() !== wanted.map((field) => field.JSON).join()) {
    errors.push(`${where}: want properties ${wanted.map((field) => field.JSON)}, got ${names}`);
    continue;
  }
  for (const [index, want] of wanted.entries()) {
    const member = members[index]!;
    fields++;
    const isOptional = member.questionToken !== undefined;
    if (isOptional !== want.Optional) errors.push(`${where}.${want.JSON}: optional is ${isOptional}`);
    compare(`${where}.${want.JSON}`, "field", commentsOf(source, member), want);
  }
}
const { Types, Fields } = manifest.Stats;
if (manifest.Types.length !== Types || (fields !== Fields && errors.length === 0)) {
  errors.push(`counted ${fields} of ${Fields} fields`);
}
for (const error of errors.slice(0, 20)) console.error(error);
console.log(`${manifest.Types.length} types, ${fields} fields, ${errors.length} errors`);
process.exitCode = errors.length > 0 ? 1 : 0;
