import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { shown } from "../../text/shown.ts";
import type { CommandContext } from "../framework/command.ts";
import { readFailure, usageError, workError } from "../framework/errors.ts";
import { oneOf, textFlag } from "../framework/flags.ts";
import { templatesDirectory } from "./project-work.ts";

/**
 * Returns the new text of `hack/boilerplate.txt` for an existing project: a new owner keeps the license, and a new license keeps
 * the owner.
 *
 * @param present the current text, empty if there is none
 */
export async function changedLicenseText(
  context: CommandContext,
  owner: string | undefined,
  present: string,
): Promise<string> {
  const { ownerOf, withOwner } = await import("../../scaffold/parts/boilerplate.ts");
  const { license, licenseFile } = context.options;
  if (license !== undefined || licenseFile !== undefined || owner === undefined) {
    return licenseText(context, owner ?? ownerOf(present));
  }
  const changed = withOwner(present, owner);
  if (changed !== undefined) return changed;
  throw workError(
    "no-owner",
    `--owner ${shown(owner)} can't be set: hack/boilerplate.txt has no line "Copyright YEAR …"; nothing was changed`,
    "add --license apache2 or --license copyright",
  );
}

/** Returns the text of `hack/boilerplate.txt` for `--license`, `--license-file` and `--owner`; empty for no license header. */
export async function licenseText(context: CommandContext, owner: string | undefined): Promise<string> {
  const { boilerplate, licenses } = await import("../../scaffold/parts/boilerplate.ts");
  const file = textFlag(context.options, "licenseFile");
  if (file === "") throw usageError("--license-file needs a value, such as --license-file license.txt");
  if (file !== undefined) return fromFile(resolve(context.cwd, file), file);
  const license = oneOf("--license", textFlag(context.options, "license") ?? "apache2", licenses);
  return boilerplate(templatesDirectory(), license, owner);
}

function fromFile(path: string, shownPath: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replaceAll("\r\n", "\n").trim();
  } catch (error) {
    throw workError("license-file", `--license-file ${shown(shownPath)} can't be read: ${readFailure(error)}`);
  }
  if (text === "" || /^\/\*(?:(?!\*\/)[\s\S])*\*\/$/.test(text)) return text === "" ? "" : `${text}\n`;
  throw usageError(`--license-file ${shown(shownPath)} must contain one comment, from "/*" to "*/", and nothing else`);
}
