import type { EcmaScriptModule, Program } from "oxc-parser";
import { openOxc } from "../../parser/oxc.ts";
import { ProblemError } from "../../project/problem-error.ts";

/** A TypeScript file with its syntax tree, whose positions refer to the text. */
export interface Code {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  /** The module specifiers in imports and exports, with the positions of their quotes. */
  readonly specifiers: readonly Specifier[];
}

/** A module specifier in an import or export, from quote to quote. */
export interface Specifier {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a file.
 *
 * @throws ProblemError if it has syntax errors, because then it can't be edited
 */
export type ParseCode = (path: string, text: string) => Code;

/** Loads the parser. Only commands that edit code in place need it. */
export async function openParser(): Promise<ParseCode> {
  const parse = await openOxc();
  if (parse === undefined) {
    throw new ProblemError(
      "no-parser",
      `can't edit TypeScript files: oxc-parser has no binary for ${process.platform}-${process.arch}; nothing was changed`,
      "install kubewright again with its optional dependencies, or add the code by hand",
    );
  }
  return (path, text) => {
    const { errors, program, module } = parse(path, text);
    const [error] = errors;
    if (error === undefined) return { path, text, program, specifiers: specifiersOf(text, module) };
    const line = text.slice(0, error.labels[0]?.start ?? 0).split("\n").length;
    throw new ProblemError(
      "syntax-error",
      `${path}:${line} can't be read: ${error.message}; nothing was changed`,
      "fix the file and run the command again",
    );
  };
}

function specifiersOf(text: string, { staticImports, staticExports, dynamicImports }: EcmaScriptModule): Specifier[] {
  const exported = staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? []));
  // An export of several names repeats its module in each of them.
  const named = [...staticImports.map(({ moduleRequest }) => moduleRequest), ...exported];
  const computed = dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const [, value] = /^["']([^"'\\]*)["']$/.exec(text.slice(start, end)) ?? [];
    return value === undefined ? [] : [{ value, start, end }];
  });
  return [...new Map([...named, ...computed].map((each) => [each.start, each])).values()];
}
