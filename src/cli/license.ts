import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { shown } from "../project/names.ts";
import type { CommandContext } from "./command.ts";
import { usageError, workError } from "./errors.ts";
import { textFlag } from "./flags.ts";
import { templatesDirectory } from "./project-work.ts";

/**
 * The text for `hack/boilerplate.txt` that the flags ask for in a project that has one: a new owner keeps the licence, and a new
 * licence the owner.
 *
 * @param present the text that is there, empty for none
 */
export async function changedLicenseText(
  context: CommandContext,
  owner: string | undefined,
  present: string,
): Promise<string> {
  const { ownerOf, withOwner } = await import("../scaffold/boilerplate.ts");
  const { license, licenseFile } = context.options;
  if (license !== undefined || licenseFile !== undefined || owner === undefined) {
    return licenseText(context, owner ?? ownerOf(present));
  }
  const changed = withOwner(present, owner);
  if (changed !== undefined) return changed;
  throw workError(
    "no-owner",
    `--owner ${shown(owner)} has no place: hack/boilerplate.txt has no line "Copyright YEAR …"; nothing was changed`,
    "give the licence too: --license apache2 or --license copyright",
  );
}

/** The text for `hack/boilerplate.txt` that `--license`, `--license-file` and `--owner` ask for; empty for none. */
export async function licenseText(context: CommandContext, owner: string | undefined): Promise<string> {
  const { boilerplate, licenses } = await import("../scaffold/boilerplate.ts");
  const file = textFlag(context.options, "licenseFile");
  if (file === "") throw usageError("--license-file needs a value, such as --license-file license.txt");
  if (file !== undefined) return fromFile(resolve(context.cwd, file), file);
  const name = textFlag(context.options, "license") ?? "apache2";
  const license = licenses.find((known) => known === name);
  if (license === undefined) throw usageError(`--license ${shown(name)} is not known: ${licenses.join(", ")} are`);
  return boilerplate(templatesDirectory(), license, owner);
}

function fromFile(path: string, shownPath: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replaceAll("\r\n", "\n").trim();
  } catch (error) {
    throw workError("license-file", `--license-file ${shown(shownPath)} can't be read: ${reason(error)}`);
  }
  if (text === "" || /^\/\*(?:(?!\*\/)[\s\S])*\*\/$/.test(text)) return text === "" ? "" : `${text}\n`;
  throw usageError(`--license-file ${shown(shownPath)} must hold one comment, from "/*" to "*/", and nothing else`);
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  return code === "EISDIR" ? "it is a directory" : message;
}
