// The rows of the tables that map names of Go to TypeScript, and the block that type-checks them.
import ts from "typescript";
import { type Block, parsePage } from "../page.ts";

/** A row of a table with the columns Go and TypeScript: the code in each of them. */
export interface Row {
  /** Counting from 1. */
  readonly line: number;
  readonly go: readonly string[];
  readonly typescript: readonly string[];
}

/** Returns the rows of all tables with the columns Go and TypeScript. */
export function rowsOf(page: string): Row[] {
  const rows: Row[] = [];
  let header: string[] = [];
  let cells: string[][] = [];
  let texts: string[] = [];
  let line = 0;
  for (const { type, map, content, children } of parsePage(page)) {
    if (type === "tr_open") {
      line = (map?.[0] ?? 0) + 1;
      cells = [];
      texts = [];
    } else if (type === "inline" && line > 0) {
      cells.push((children ?? []).filter((child) => child.type === "code_inline").map((child) => child.content));
      texts.push(content);
    } else if (type === "thead_close") header = texts;
    else if (type === "tr_close") {
      const [go = [], typescript = []] = cells;
      if (texts[0] !== "Go" && header[0] === "Go" && header[1] === "TypeScript") rows.push({ line, go, typescript });
      line = 0;
    } else if (type === "table_close") header = [];
  }
  return rows;
}

/** Returns how Go code usually calls a package of controller-runtime. */
export function qualifierOf(path: string): string {
  const usual: Readonly<Record<string, string>> = {
    ".": "ctrl",
    "pkg/log": "logf",
    "pkg/metrics/server": "metricsserver",
  };
  return usual[path] ?? path.slice(path.lastIndexOf("/") + 1);
}

/** Names of files and commands aren't code. */
const notCode = /^[\w./@-]+\.(?:ts|js|yaml|json|md)$|^(?:npx|npm) |^@kubewright\/|^--/;

/** The pieces of code in rows as one block, which takes a compilation of the same imports only once. */
export interface RowsBlock {
  readonly block: Block;
  /**
   * Returns the pieces that don't compile.
   *
   * @param problems - those of the block
   */
  invalid(problems: readonly string[]): string[];
}

/**
 * Creates the block that checks the TypeScript of rows. A piece of code is valid if it compiles as a value, a type, a statement, or
 * the name of a field. A method begins with a dot. The fields of an object must be options, and its values must have their types.
 */
export function blockOf(rows: readonly Row[], page: string): RowsBlock {
  const pieces = rows.flatMap(({ typescript, line }) =>
    typescript.filter((code) => !notCode.test(code)).map((code) => ({ code, line, forms: formsOf(code) })),
  );
  // Each form takes two lines, because it can end with a comment.
  const text = pieces.flatMap(({ forms }) => forms.map((form) => `void (async () => { ${form}\n});\n`)).join("");
  const notes = { given: "game, example, testing, conversion, runtime, ports" };
  return {
    block: { page: `rows of ${page}`, line: 0, language: "ts", notes, text },
    invalid(problems) {
      const own = problems.filter((problem) => problem.startsWith(`rows of ${page}:`));
      const messages = new Map(own.map((problem) => [Math.ceil(Number(problem.split(":")[1]) / 2), problem]));
      let count = 0;
      return pieces.flatMap(({ code, line, forms }) => {
        const errors = forms.map(() => messages.get(++count));
        return errors.includes(undefined) ? [] : [`${page}:${line}: ${code}: ${errors[0] ?? "isn't TypeScript"}`];
      });
    },
  };
}

function formsOf(code: string): string[] {
  const isOptions = code.startsWith("{") && !code.includes("} satisfies ");
  const forms = isOptions
    ? [`void (${code} satisfies AnyOptions);`]
    : code.startsWith(".")
      ? [`void (builder${code});`, `void (webhookBuilder${code});`]
      : [`void (${code});`, `type T = ${code};`, code];
  if (/^[a-z]\w*$/.test(code)) forms.push(`void (${JSON.stringify(code)} satisfies AnyField);`);
  return forms.filter(isSyntax);
}

function isSyntax(text: string): boolean {
  return ts.transpileModule(text, { reportDiagnostics: true }).diagnostics?.length === 0;
}
