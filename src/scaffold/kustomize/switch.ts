import { ProblemError } from "../../project/problem-error.ts";
import { editDocument } from "../../yaml/document.ts";
import { type Kustomization, readKustomization, type Section, switched } from "./sections.ts";

/** An entry of a kustomization that can be switched: how to recognize it, and its name. */
export interface Part {
  readonly list: "resources" | "patches" | "replacements" | "configurations";
  /** The name in messages, such as `- ../webhook`. */
  readonly name: string;
  /** The file or kustomization directory that it refers to, relative to its own file. */
  readonly path?: string;
  matches(entry: unknown): boolean;
}

/**
 * Switches on parts of a kustomization, and the keys of their lists. Parts that are on already stay unchanged.
 *
 * @param fresh returns the scaffolded file, to show the missing lines if the user has removed a part
 * @throws ProblemError if a part is neither active nor commented out; the hint shows the lines to add by hand
 */
export function switchOn(text: string, file: string, parts: readonly Part[], fresh: () => string): string {
  const kustomization = readKustomization(text);
  const changes = parts.map((part) => {
    const section = sectionOf(kustomization.sections, part);
    if (section === undefined) throw missingPart(file, part, fresh);
    return section;
  });
  const lists = new Set(parts.map(({ list }) => list as string));
  // A key that is in the file twice, once as a comment, is on.
  const on = new Set(kustomization.keys.filter(({ commented }) => !commented).map(({ key }) => key));
  const keys = kustomization.keys.filter(({ key }) => lists.has(key) && !on.has(key));
  return checked(switched(kustomization, [...new Set([...changes, ...keys])], true), file, text);
}

/** Keys that are commented out while their lists are empty. */
const optionalKeys = ["patches", "replacements", "configurations"];

/** Switches off parts of a kustomization, and the keys of lists that become empty. Parts that are off or missing stay so. */
export function switchOff(text: string, parts: readonly Part[]): string {
  const kustomization = readKustomization(text);
  const sections = parts.flatMap((part) => sectionOf(kustomization.sections, part) ?? []);
  const off = switched(kustomization, sections, false);
  const after = readKustomization(off);
  const empty = after.keys.filter(
    ({ key }) =>
      optionalKeys.includes(key) &&
      parts.some(({ list }) => list === key) &&
      !after.sections.some(({ list, commented }) => list === key && !commented),
  );
  return switched(after, empty, false);
}

/** Whether all parts are on. */
export function isOn(text: string, parts: readonly Part[]): boolean {
  const { sections } = readKustomization(text);
  return parts.every((part) => sectionOf(sections, part)?.commented === false);
}

/** Whether some of the parts are commented out. Parts that the user has removed don't count. */
export function isOff(text: string, parts: readonly Part[]): boolean {
  const { sections } = readKustomization(text);
  return parts.some((part) => sectionOf(sections, part)?.commented === true);
}

/** Whether a kustomization has all parts, active or commented out. */
export function hasParts(text: string, parts: readonly Part[]): boolean {
  const { sections } = readKustomization(text);
  return parts.every((part) => sectionOf(sections, part) !== undefined);
}

/** Returns the section of a kustomization for a part, active or commented out. */
function sectionOf(sections: readonly Section[], part: Part): Section | undefined {
  return sections.find((section) => section.list === part.list && part.matches(section.entry));
}

/** Rejects an edit that makes a file invalid, because the user's entries may have a different indentation. */
function checked(changed: string, file: string, before: string): string {
  if (changed === before) return changed;
  const [error] = editDocument(changed).errors;
  if (error === undefined || editDocument(before).errors.length > 0) return changed;
  throw new ProblemError(
    "bad-kustomization",
    `${file} can't be switched: ${(error.message.split("\n")[0] ?? "").replace(/:$/, "")}; nothing was changed`,
    "indent the entries of each list in one way and run the command again",
  );
}

function missingPart(file: string, part: Part, fresh: () => string): ProblemError {
  const example = readKustomization(fresh());
  return new ProblemError(
    "missing-section",
    `${file} has no ${part.list} with ${part.name}, not even as a comment; nothing was changed`,
    `add this below "${part.list}:" and run the command again:\n${linesOf(example, part)}`,
  );
}

function linesOf({ lines, sections }: Kustomization, part: Part): string {
  const section = sectionOf(sections, part);
  return lines
    .slice(section?.from ?? 0, section?.to ?? 0)
    .map((line) => `    ${section?.commented ? line.slice(1) : line}`)
    .join("\n");
}
