import type { Node } from "oxc-parser";
import type { Code } from "./parse.ts";

/** Returns all descendants of a node, parents first, in the order of the text. */
export function descendants(node: Node): Node[] {
  const found: Node[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isNode(value)) {
      found.push(value);
      for (const child of Object.values(value)) visit(child);
    }
  };
  for (const child of Object.values(node)) visit(child);
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

/** Returns the declaration of a module's statement: the one after `export`, or the statement itself. */
export function declarationOf(statement: Node): Node {
  return statement.type === "ExportNamedDeclaration" && statement.declaration ? statement.declaration : statement;
}

/** Finds a function of the module by name, declared as a function or as a constant. */
export function functionNamed(code: Code, name: string): Node | undefined {
  return valueNamed(code, name, (node) =>
    ["FunctionDeclaration", "ArrowFunctionExpression", "FunctionExpression"].includes(node.type),
  );
}

/** Finds a constant of the module by name, and returns its initial value. */
export function constantNamed(code: Code, name: string): Node | undefined {
  return valueNamed(code, name, () => true);
}

function valueNamed(code: Code, name: string, fits: (node: Node) => boolean): Node | undefined {
  for (const statement of code.program.body) {
    const node = declarationOf(statement);
    if (node.type === "FunctionDeclaration" && node.id?.name === name) return fits(node) ? node : undefined;
    if (node.type !== "VariableDeclaration") continue;
    for (const { id, init } of node.declarations) {
      if (id.type === "Identifier" && id.name === name && init && fits(init)) return init;
    }
  }
  return undefined;
}

/** Whether the module declares or imports the name at its top level. */
export function isTaken(code: Code, name: string): boolean {
  return code.program.body.some((statement) => {
    const node = declarationOf(statement);
    if (node.type === "ImportDeclaration") return node.specifiers.some(({ local }) => local.name === name);
    if (node.type === "VariableDeclaration") {
      return node.declarations.some(({ id }) => id.type === "Identifier" && id.name === name);
    }
    return "id" in node && node.id?.type === "Identifier" && node.id.name === name;
  });
}
