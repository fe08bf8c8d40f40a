import systemPaths, { type PlatformPath } from "node:path";
import { escapeForLine } from "../text/characters.ts";
import { frameOf, linesOf } from "./code-frame.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** What rendering needs of its surroundings. */
export interface RenderOptions {
  /** Paths are shown relative to it. */
  readonly cwd: string;
  /** The text of a file, undefined where it can't be had: then there is no code frame. Asked for once a file. */
  readonly readSource: (file: string) => string | undefined;
  /** Gives a text a color of ANSI, by its code. */
  readonly paint?: (code: number, text: string) => string;
}

/**
 * Diagnostics for people: `path:line:column: error: message [id]`, the code below it, then the hint. Ends with a
 * newline unless there is nothing to tell.
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

/** A path as messages show it: relative to the working directory, with `/`. */
export function displayPath(file: string, cwd: string, paths: PlatformPath = systemPaths): string {
  const shown = paths.relative(cwd, file);
  return (shown === "" ? "." : shown).split(paths.sep).join("/");
}
