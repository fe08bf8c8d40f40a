import type { ts } from "ts-morph";
import type { Bindings, Target, TypeExpr } from "../model.ts";
import { type NameElsewhere, printType } from "../print.ts";
import type { Checked, Checker, CheckerInput } from "../reader.ts";
import type { Origin } from "./check-context.ts";
import { convertType } from "./convert.ts";
import { createProgram, type OpenProject } from "./program.ts";
import { createQuestion, namespaceAt, symbolIn } from "./question.ts";
import { createTags } from "./tags.ts";

/**
 * Maximum number of types that the checker may instantiate in a run. Its own limit is 5 million per question, after seconds.
 */
const instantiationsPerRun = 20_000_000;

/** Resolves types that syntax can't resolve. Each question is a type alias with access to all names in the file of the type. */
export function createChecker(input: CheckerInput, open?: OpenProject): Checker {
  const tags = createTags((ref) => input.resolve(ref.target));
  const declarations = (specifier: string) => input.types.declarations(specifier);
  const program = createProgram({ ...input, declarations, tags }, open);
  const answers = new Map<string, Checked>();
  const asked = new Map<string, ts.Symbol | undefined>();
  const keyOf = questionKeys();
  const origins = new Map<ts.SourceFile, Origin>();

  /** Creates a question and returns its alias; undefined if the file isn't part of the program. */
  function ask(expr: TypeExpr, scope: Bindings): ts.Symbol | undefined {
    const key = keyOf(expr, scope);
    // The same question is needed by each parameter that is bound in a scope, and by each nested scope.
    if (!asked.has(key)) asked.set(key, put(expr, scope));
    return asked.get(key);
  }

  function put(expr: TypeExpr, scope: Bindings): ts.Symbol | undefined {
    const used = parametersIn(expr, scope);
    const home = program.sourceFile(expr.at.file);
    if (!home) return undefined;
    const names = new Map<string, ts.Symbol>();
    const parameters = [...scope].filter(([name]) => used.has(name));
    const args = parameters.map(([, bound]) => call(names, ask(bound.expr, bound.scope)));
    const elsewhere: NameElsewhere = (target) => {
      const symbol = symbolElsewhere(target);
      return symbol ? call(names, symbol) : target.name;
    };
    const printed = printType(expr, elsewhere);
    const generic = parameters.length > 0;
    const head = `export type ${generic ? `$q_<${parameters.map(([each]) => each).join(", ")}>` : "$q"} = `;
    const rest = generic ? `export type $q = $q_<${args.join(", ")}>;\n` : "";
    const place = namespaceAt(home, expr.at);
    const question = createQuestion(place, `${head}${printed.text};\n${rest}`, names);
    origins.set(question, { home, start: head.length, expr, printed });
    return symbolIn(question, "$q");
  }

  /** Assigns a name to a symbol in a question. Without a symbol, the name can't be resolved. */
  function call(names: Map<string, ts.Symbol>, symbol: ts.Symbol | undefined): string {
    const name = `$x${names.size}`;
    if (symbol) names.set(name, symbol);
    return name;
  }

  function symbolElsewhere(target: Exclude<Target, { kind: "parameter" | "global" }>): ts.Symbol | undefined {
    const type = input.resolve(target);
    const resolved = type.kind === "missing" ? input.resolve(target, "value") : type;
    if (resolved.kind === "module") return exportOf(program.module(target.file, resolved.specifier), resolved.name);
    const file = resolved.kind === "type" || resolved.kind === "value" ? program.sourceFile(resolved.file) : undefined;
    return file && "declaration" in resolved ? symbolIn(file, resolved.declaration.name) : undefined;
  }

  function exportOf(file: ts.SourceFile | undefined, name: string): ts.Symbol | undefined {
    const module = file && program.checker?.getSymbolAtLocation(file);
    return module && program.checker?.tryGetMemberInModuleExports(name, module);
  }

  function answer(expr: TypeExpr, scope: Bindings): Checked {
    if (instantiations(program.checker) > instantiationsPerRun) {
      return { problem: "the type checker's limit for this run is exceeded" };
    }
    try {
      const symbol = ask(expr, scope);
      const { checker } = program;
      if (!symbol || !checker) return { problem: "it can't be read" };
      const context = { checker, tags, origins, at: expr.at };
      return convertType(context, checker.getDeclaredTypeOfSymbol(symbol));
    } catch (error) {
      // The compiler has its own limits, and fails for some types.
      return { problem: `TypeScript's type checker failed: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  return {
    check(expr, scope) {
      const key = keyOf(expr, scope);
      const cached = answers.get(key);
      if (cached) return cached;
      const checked = answer(expr, scope);
      answers.set(key, checked);
      return checked;
    },
  };
}

/**
 * Returns the type parameters that an expression may use. In unparsed text, each word that is the name of a parameter
 * counts.
 */
function parametersIn(expr: TypeExpr, scope: Bindings): Set<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { kind, name, text } = node as { kind?: unknown; name?: unknown; text?: unknown };
    if (kind === "parameter" && typeof name === "string" && scope.has(name)) names.add(name);
    if (kind === "other") for (const word of wordsOf(String(text))) if (scope.has(word)) names.add(word);
    for (const [key, value] of Object.entries(node)) if (key !== "at" && key !== "leading") visit(value);
  };
  visit(expr);
  return names;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [];
}

/**
 * Creates keys that are equal for equal questions. Scopes are represented by numbers: written out, they could contain each
 * other endlessly.
 */
function questionKeys(): (expr: TypeExpr, scope: Bindings) => string {
  const numbers = new Map<string, number>();
  const ids = new WeakMap<Bindings, number>();
  const withoutPlaces = (key: string, value: unknown) => (key === "leading" || key === "at" ? undefined : value);

  function numberOf(scope: Bindings): number {
    const before = ids.get(scope);
    if (before !== undefined) return before;
    // A default may refer to other parameters of its scope.
    ids.set(scope, -1);
    const text = JSON.stringify([...scope].map(([name, bound]) => [name, keyOf(bound.expr, bound.scope)]));
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    ids.set(scope, number);
    return number;
  }

  function keyOf(expr: TypeExpr, scope: Bindings): string {
    const { file, line, column } = expr.at;
    return JSON.stringify([file, line, column, JSON.stringify(expr, withoutPlaces), numberOf(scope)]);
  }
  return keyOf;
}

/** Returns the number of types that the checker has instantiated so far. */
function instantiations(checker: ts.TypeChecker | undefined): number {
  return (checker as { getInstantiationCount?: () => number } | undefined)?.getInstantiationCount?.() ?? 0;
}
