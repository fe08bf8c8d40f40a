import systemPaths, { type PlatformPath } from "node:path";
import { escapeForLine } from "../text/characters.ts";
import { frameOf, linesOf } from "./code-frame.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** Options of {@link renderText}. */
export interface RenderOptions {
  /** The directory that displayed paths are relative to. */
  readonly cwd: string;
  /** Returns the text of a file; without it, code frames are left out. Called once per file. */
  readonly readSource: (file: string) => string | undefined;
  /** Colors a text, by ANSI code. */
  readonly paint?: (code: number, text: string) => string;
}

/**
 * Formats diagnostics for people: `path:line:column: error: message [id]`, then the code frame and the hint. Ends with a newline
 * except without diagnostics.
 */
export function renderText(diagnostics: readonly Diagnostic<string>[], options: RenderOptions): string {
  const files = new Map<string, Lines>();
  const linesIn = (file: string): Lines => {
    if (!files.has(file)) {
      const source = options.readSource(file);
      files.set(file, source === undefined ? undefined : linesOf(source));
    }
    return files.get(file);
  };
  return diagnostics.map((diagnostic) => `${renderOne(diagnostic, options, linesIn)}\n`).join("");
}

type Lines = readonly string[] | undefined;

function renderOne(
  diagnostic: Diagnostic<string>,
  { cwd, paint = (_, text) => text }: RenderOptions,
  linesIn: (file: string) => Lines,
): string {
  const { id, severity, message, file, line, column, hint } = diagnostic;
  const parts = [`${position(diagnostic, cwd)}${paint(severity === "error" ? 31 : 33, severity)}: ${message} [${id}]`];
  const lines = line > 0 ? linesIn(file) : undefined;
  const frame = lines === undefined ? "" : frameOf(lines, line, column);
  if (frame !== "") parts.push(frame);
  if (hint !== undefined) parts.push(`  hint: ${hint}`);
  return parts.join("\n");
}

function position({ file, line, column }: Diagnostic<string>, cwd: string): string {
  if (file === "") return "";
  const place = line > 0 ? `:${line}${column > 0 ? `:${column}` : ""}` : "";
  return `${escapeForLine(displayPath(file, cwd))}${place}: `;
}

/** Returns a path for messages: relative to the working directory, with `/`. */
export function displayPath(file: string, cwd: string, paths: PlatformPath = systemPaths): string {
  const shown = paths.relative(cwd, file);
  return (shown === "" ? "." : shown).split(paths.sep).join("/");
}
