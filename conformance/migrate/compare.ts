import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** How the documents of two projects compare. Documents are identified by kind and name. */
export interface Comparison {
  readonly same: readonly string[];
  readonly different: readonly string[];
  /** Only the Go project has them. */
  readonly missing: readonly string[];
  /** Only the new project has them. */
  readonly added: readonly string[];
}

/** Splits YAML into documents by kind and name, without the name and version of their generator. */
export function documentsOf(text: string): Map<string, string> {
  const documents = text
    .replaceAll("\r\n", "\n")
    .split(/^---[ \t]*$/m)
    .map((document) => document.trim())
    .filter((document) => generated.test(kindOf(document)));
  return new Map(
    documents.map((document) => {
      const kind = kindOf(document);
      const name = /^metadata:\n(?: .*\n)*? {2}name: (\S+)/m.exec(document)?.[1] ?? "";
      const namespace = /^metadata:\n(?: .*\n)*? {2}namespace: (\S+)/m.exec(document)?.[1];
      return [`${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`, withoutVersion(document)];
    }),
  );
}

const kindOf = (document: string): string => /^kind: (\S+)/m.exec(document)?.[1] ?? "";
const generated = /^(CustomResourceDefinition|(Cluster)?Role|(Mutating|Validating)WebhookConfiguration)$/;

const withoutVersion = (text: string): string =>
  text.replace(/^( {4}controller-gen\.kubebuilder\.io\/version:).*$/m, "$1 -");

/** Returns the documents in the YAML files of a directory; none if it doesn't exist. */
export function documentsIn(directory: string, matches: RegExp): Map<string, string> {
  if (!existsSync(directory)) return new Map();
  const files = readdirSync(directory).filter((name) => /\.ya?ml$/.test(name) && matches.test(name));
  return new Map(files.sort().flatMap((name) => [...documentsOf(readFileSync(join(directory, name), "utf8"))]));
}

/** Compares the documents of the Go project with those of the new project, byte for byte. */
export function compare(theirs: ReadonlyMap<string, string>, ours: ReadonlyMap<string, string>): Comparison {
  const both = [...theirs.keys()].filter((name) => ours.has(name));
  return {
    same: both.filter((name) => theirs.get(name) === ours.get(name)),
    different: both.filter((name) => theirs.get(name) !== ours.get(name)),
    missing: [...theirs.keys()].filter((name) => !ours.has(name)),
    added: [...ours.keys()].filter((name) => !theirs.has(name)),
  };
}

/** Returns a cell of the table: `same`, `none`, or the numbers of documents. */
export function cellOf({ same, different, missing, added }: Comparison): string {
  const total = same.length + different.length + missing.length;
  if (total + added.length === 0) return "none";
  if (same.length === total && added.length === 0) return total === 1 ? "same" : `${total} same`;
  const parts = [
    [same.length, "same"],
    [different.length, "different"],
    [missing.length, "missing"],
    [added.length, "added"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(", ");
}

/** Reports whether both projects have the same documents. */
export function isSame({ different, missing, added }: Comparison): boolean {
  return different.length + missing.length + added.length === 0;
}
