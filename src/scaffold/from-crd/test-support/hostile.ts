// biome-ignore-all lint/suspicious/noExplicitAny: documents of unknown shape are changed here.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { typeName } from "../../../kubernetes/type-name.ts";

/** Texts that end a comment, a string or a line, followed by code. */
export const hostileTexts = [
  "x\nglobalThis.pwned = 1;//",
  "x\rglobalThis.pwned = 1;//",
  "x\r\nglobalThis.pwned = 1;//",
  "x\u2028globalThis.pwned = 1;//",
  "x\u2029globalThis.pwned = 1;//",
  "x */ globalThis.pwned = 1; /*",
  "*/globalThis.pwned = 1;/*",
  "/ globalThis.pwned = 1; /*",
  '"; globalThis.pwned = 1; "',
  "'; globalThis.pwned = 1; '",
  "`; globalThis.pwned = 1; `",
  `\${globalThis.pwned = 1}`,
  'a | "b"; globalThis.pwned = 1; type X = "c',
  'a | b" | "c | d" | globalThis.pwned',
  '\\"; globalThis.pwned = 1; //',
  "}\nglobalThis.pwned = 1;\ninterface X {",
  "Record<string, x>; globalThis.pwned = 1; ",
  "\u0085globalThis.pwned = 1;",
  "\u000bglobalThis.pwned = 1;\u000c",
  "\u202e; 1 = denwp.sihTlabolg\u2066",
  "\ud800; globalThis.pwned = 1;",
  "\u0000; globalThis.pwned = 1;",
  "// @ts-nocheck\n@ts-ignore\n/// <reference path='/etc/passwd' />",
  "+kubebuilder:rbac:groups=*,resources=*,verbs=*",
  "x\n+kubebuilder:rbac:groups=*,resources=*,verbs=*",
  "x\n* +kubebuilder:rbac:groups=*,resources=*,verbs=*",
  " \u00a0\ufeff+kubebuilder:rbac:groups=*,resources=*,verbs=*",
  "x\u2028+kubebuilder:rbac:groups=*,resources=*,verbs=*",
  "x\u0085+kubebuilder:rbac:groups=*,resources=*,verbs=*",
  "@default +kubebuilder:rbac:groups=*,resources=*,verbs=*",
  "x,path=evil\u0020,name=y",
  'x",priority=1,description="y',
  "`,+kubebuilder:rbac:groups=*,resources=*,verbs=*`",
  "__proto__",
  "constructor",
  "a".repeat(200),
];

/** The statements that a types file may contain. */
const allowed = new Set([
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
]);

/**
 * Returns a line for each part of a types file that isn't an import, an interface, a type alias or the kind's value,
 * according to TypeScript's own parser.
 */
export function moreThanTypes(text: string, kind: string): string[] {
  const file = ts.createSourceFile("types.ts", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const errors = ((file as any).parseDiagnostics as ts.Diagnostic[]).map(
    ({ messageText, start }) => `${String(messageText)} at ${JSON.stringify(text.slice(start, (start ?? 0) + 60))}`,
  );
  const value = new RegExp(`^exportconst${kind}=GroupVersion\\.kind<${kind}>\\("([A-Za-z0-9-]{1,63})"\\);$`);
  const isValue = (own: string) => typeName(value.exec(own)?.[1] ?? "") === kind;
  for (const statement of file.statements) {
    const own = statement.getText(file).replace(/\s+/g, "").replace(",)", ")");
    if (!allowed.has(statement.kind) && !isValue(own)) errors.push(statement.getText(file));
    visit(statement);
  }
  for (const reference of file.referencedFiles) errors.push(`reference to ${reference.fileName}`);
  for (const directive of (file as any).commentDirectives ?? []) errors.push(`directive at ${directive.range.pos}`);
  if ((file as any).checkJsDirective !== undefined) errors.push("@ts-nocheck");
  return errors;

  function visit(node: ts.Node): void {
    if (ts.isImportDeclaration(node)) {
      const module = (node.moduleSpecifier as ts.StringLiteral).text;
      if (!/^(@kubewright\/runtime\/api(\/[a-z]+\/v\d\w*)?|\.\/groupversion-info\.ts)$/.test(module))
        errors.push(`import of ${module}`);
    }
    // Types must not run code: no `typeof import()`, no computed names.
    if (ts.isImportTypeNode(node) || ts.isComputedPropertyName(node) || ts.isTypeQueryNode(node))
      errors.push(node.getText(file));
    ts.forEachChild(node, visit);
  }
}

/**
 * Returns a line for each place in a tree where TypeScript finds an identifier of {@link hostileTexts} or a syntax
 * error.
 */
export function codeIn(root: string): string[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.(m?ts|mjs|js)$/.test(path),
  );
  return files.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
    const nodes: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && node.text === "pwned")
        nodes.push(`${path}: ${node.parent.getText(file).slice(0, 80)}`);
      ts.forEachChild(node, visit);
    };
    visit(file);
    const errors = (file as unknown as { parseDiagnostics: ts.Diagnostic[] }).parseDiagnostics;
    return [...nodes, ...errors.map(({ messageText }) => `${path}: ${String(messageText)}`)];
  });
}

/** Returns the path of every value of a definition. */
export function places(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, each]) =>
      places(each, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** Returns a copy with another value at a path; `undefined` removes the key. */
export function withValue(document: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(document) as any;
  const parent = path.slice(0, -1).reduce((at, key) => at[key], copy);
  const last = path.at(-1);
  if (last === undefined) return value;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

/** Returns a copy with another key at a path. */
export function withKey(document: unknown, path: readonly (string | number)[], name: string): unknown {
  const copy = structuredClone(document) as any;
  const parent = path.slice(0, -1).reduce((at, key) => at[key], copy);
  const last = path.at(-1) as string;
  const entries = Object.entries(parent).map(([key, each]) => [key === last ? name : key, each]);
  const renamed = Object.fromEntries(entries);
  for (const key of Object.keys(parent)) delete parent[key];
  for (const [key, value] of Object.entries(renamed))
    Object.defineProperty(parent, key, { value: value, enumerable: true, configurable: true, writable: true });
  return copy;
}
