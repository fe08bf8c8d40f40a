import type { ts } from "ts-morph";
import type { KnownTypes } from "../known-types.ts";
import type { Bindings, SourceFile, Target, TypeExpr } from "../model.ts";
import { type NameElsewhere, printType } from "../print.ts";
import type { Resolved } from "../resolve.ts";
import type { Checked, Origin } from "./check-context.ts";
import { loadCompiler } from "./compiler.ts";
import { convertType } from "./convert.ts";
import { createProgram } from "./program.ts";
import { createTags } from "./tags.ts";

/** What the checker works on. */
export interface CheckerInput {
  readonly file: (path: string) => SourceFile | undefined;
  readonly textOf: (path: string) => string | undefined;
  readonly resolve: (target: Target, space?: "type" | "value") => Resolved;
  readonly locate: (from: string, specifier: string) => string | undefined;
  readonly known: KnownTypes;
}

/**
 * Answers what syntax can't: each question is put as a type alias at the end of the file that it comes from, so that it
 * sees what that file sees.
 */
export function createChecker(input: CheckerInput): { check(expr: TypeExpr, scope: Bindings): Checked } {
  const tags = createTags((ref) => input.resolve(ref.target));
  const program = createProgram({ ...input, declarations: (specifier) => input.known.declarations(specifier), tags });
  const answers = new Map<string, Checked>();
  const exported = new Set<string>();
  const origins: Origin[] = [];
  let count = 0;

  /** Asks for a type and gives the name under which its file exports the answer. */
  function ask(expr: TypeExpr, scope: Bindings, used: ReadonlySet<string>): { file: string; name: string } {
    const { file } = expr.at;
    const parameters = [...scope].filter(([name]) => used.has(name));
    const args = parameters.map(([, bound]) => {
      const asked = ask(bound.expr, bound.scope, parametersIn(bound.expr, bound.scope));
      return asked.file === file ? asked.name : `import(${JSON.stringify(asked.file)}).${asked.name}`;
    });
    const name = `$q${count++}`;
    const printed = printType(expr, elsewhere);
    const generic = parameters.length > 0;
    const head = `type ${generic ? `${name}_<${parameters.map(([each]) => each).join(", ")}>` : name} = `;
    const start = program.append(file, `export ${head}${printed.text};\n`) + `export ${head}`.length;
    origins.push({ file, start, expr, printed });
    if (generic) program.append(file, `export type ${name} = ${name}_<${args.join(", ")}>;\n`);
    return { file, name };
  }

  const elsewhere: NameElsewhere = (target) => {
    const found = input.resolve(target);
    if (found.kind === "module") return `import(${JSON.stringify(found.specifier)}).${found.name}`;
    if (found.kind !== "type") return target.name;
    const { name } = found.declaration;
    // Not everything that a type refers to is exported.
    const door = `$x_${name.replaceAll(".", "_")}`;
    if (!exported.has(`${found.file}\0${name}`)) {
      exported.add(`${found.file}\0${name}`);
      program.append(
        found.file,
        name.includes(".") ? `export import ${door} = ${name};\n` : `export { ${name} as ${door} };\n`,
      );
    }
    return `import(${JSON.stringify(found.file)}).${door}`;
  };

  function answer(expr: TypeExpr, scope: Bindings): Checked {
    const { file, name } = ask(expr, scope, parametersIn(expr, scope));
    const { checker, program: made } = program.checker();
    const source = made.getSourceFile(file);
    const symbol = source && moduleExport(checker, source, name);
    if (!symbol) return { problem: "it can't be read" };
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    return convertType({ compiler: loadCompiler(), checker, tags, origins, at: expr.at }, type);
  }

  return {
    check(expr, scope) {
      const key = questionKey(expr, scope);
      const known = answers.get(key);
      if (known) return known;
      const found = answer(expr, scope);
      answers.set(key, found);
      return found;
    },
  };
}

function moduleExport(checker: ts.TypeChecker, file: ts.SourceFile, name: string): ts.Symbol | undefined {
  const module = checker.getSymbolAtLocation(file);
  return module?.exports?.get(name as ts.__String);
}

/** The type parameters that an expression may mention: those of text that isn't taken apart are all taken for used. */
function parametersIn(expr: TypeExpr, scope: Bindings): Set<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { kind, name, text } = node as { kind?: unknown; name?: unknown; text?: unknown };
    if (kind === "parameter" && typeof name === "string" && scope.has(name)) found.add(name);
    if (kind === "other") for (const each of wordsOf(String(text))) if (scope.has(each)) found.add(each);
    for (const [key, value] of Object.entries(node)) if (key !== "at" && key !== "leading") visit(value);
  };
  visit(expr);
  return found;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
}

function questionKey(expr: TypeExpr, scope: Bindings): string {
  const { file, line, column } = expr.at;
  const bound = [...scope].map(([name, each]) => [name, questionKey(each.expr, each.scope)]);
  const withoutPlaces = (key: string, value: unknown) => (key === "leading" || key === "at" ? undefined : value);
  return JSON.stringify([file, line, column, JSON.stringify(expr, withoutPlaces), bound]);
}
