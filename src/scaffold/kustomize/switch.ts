import { editDocument } from "../../yaml/document.ts";
import { ScaffoldError } from "../scaffold-error.ts";
import { type Part, sectionOf } from "./options.ts";
import { type Kustomization, readKustomization, switched } from "./sections.ts";

/**
 * Switches parts of a kustomization on, with the keys of their lists. What is on already stays as it is.
 *
 * @param fresh gives the file as a new project has it: shows what is missing when the user has taken a part out
 * @throws ScaffoldError when a part is neither there nor commented out; the hint shows the lines to add by hand
 */
export function switchOn(text: string, file: string, parts: readonly Part[], fresh: () => string): string {
  const kustomization = readKustomization(text);
  const found = parts.map((part) => {
    const section = sectionOf(kustomization.sections, part);
    if (section === undefined) throw missingPart(file, part, fresh);
    return section;
  });
  const lists = new Set(parts.map(({ list }) => list as string));
  // A key that is there twice, once as a comment, is on.
  const on = new Set(kustomization.keys.filter(({ commented }) => !commented).map(({ key }) => key));
  const keys = kustomization.keys.filter(({ key }) => lists.has(key) && !on.has(key));
  return checked(switched(kustomization, [...found, ...keys], true), file, text);
}

/** Keys that are comments as long as their lists are empty. */
const optionalKeys = ["patches", "replacements", "configurations"];

/** Switches parts of a kustomization off, with the keys of lists in which nothing is left. What is off or gone stays so. */
export function switchOff(text: string, parts: readonly Part[]): string {
  const kustomization = readKustomization(text);
  const found = parts.flatMap((part) => sectionOf(kustomization.sections, part) ?? []);
  const off = switched(kustomization, found, false);
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

/** An edit that makes a file unreadable is none: the user's own entries may be indented otherwise. */
function checked(changed: string, file: string, before: string): string {
  if (changed === before) return changed;
  const [error] = editDocument(changed).errors;
  if (error === undefined || editDocument(before).errors.length > 0) return changed;
  throw new ScaffoldError(
    "bad-kustomization",
    `${file} can't be switched: ${(error.message.split("\n")[0] ?? "").replace(/:$/, "")}; nothing was changed`,
    "indent the entries of each list in one way and run the command again",
  );
}

function missingPart(file: string, part: Part, fresh: () => string): ScaffoldError {
  const example = readKustomization(fresh());
  return new ScaffoldError(
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
