import type { EcmaScriptModule, Program } from "oxc-parser";
import { openOxc } from "../../parser/oxc.ts";
import { ScaffoldError } from "../scaffold-error.ts";

/** A file of TypeScript with its syntax tree; positions in the tree are those of the text. */
export interface Code {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  /** The modules that it names in imports and exports, with their quotes' places. */
  readonly specifiers: readonly Specifier[];
}

/** A module's name as an import or export has it, from quote to quote. */
export interface Specifier {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Reads the syntax of a file. Throws a ScaffoldError when it has errors: what can't be read can't be edited. */
export type ParseCode = (path: string, text: string) => Code;

/** Loads the parser: only commands that edit code in place need one. */
export async function openParser(): Promise<ParseCode> {
  const parse = await openOxc();
  if (parse === undefined) {
    throw new ScaffoldError(
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
    throw new ScaffoldError(
      "syntax-error",
      `${path}:${line} can't be read: ${error.message}; nothing was changed`,
      "fix the file and run the command again",
    );
  };
}

function specifiersOf(text: string, { staticImports, staticExports, dynamicImports }: EcmaScriptModule): Specifier[] {
  const exported = staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? []));
  // An export of several names has its module in each of them.
  const named = [...staticImports.map(({ moduleRequest }) => moduleRequest), ...exported];
  const computed = dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const [, value] = /^["']([^"'\\]*)["']$/.exec(text.slice(start, end)) ?? [];
    return value === undefined ? [] : [{ value, start, end }];
  });
  return [...new Map([...named, ...computed].map((each) => [each.start, each])).values()];
}
