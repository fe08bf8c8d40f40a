import { Node, type SourceFile } from "ts-morph";

/** Finds a function of the module by name, declared as a function or as a constant. */
export function functionNamed(file: SourceFile, name: string): Node | undefined {
  const value = constantNamed(file, name);
  return (
    file.getFunction(name) ?? (Node.isArrowFunction(value) || Node.isFunctionExpression(value) ? value : undefined)
  );
}

/** Finds a constant of the module by name, and returns its initial value. */
export function constantNamed(file: SourceFile, name: string): Node | undefined {
  return file.getVariableDeclaration(name)?.getInitializer();
}

/** Returns whether the module declares or imports the name at its top level. */
export function isTaken(file: SourceFile, name: string): boolean {
  return file.getLocal(name) !== undefined;
}
