import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const command = "tsc";

/**
 * Finds the program of the project's TypeScript. From version 7 on, it is a native program, whose package starts it with
 * Node.js. Starting it without Node.js saves 60 to 90 ms.
 *
 * @param root - the project
 * @returns path and version; `undefined` without one
 */
export function nativeCompiler(root: string): { readonly program: string; readonly version: string } | undefined {
  // Its name is limited in length there, and the package's command works around it.
  if (process.platform === "win32") return undefined;
  try {
    const typescript = createRequire(join(root, "package.json")).resolve("typescript/package.json");
    const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    const program = join(dirname(createRequire(typescript).resolve(native)), "lib", command);
    const { version } = JSON.parse(readFileSync(typescript, "utf8")) as { version: string };
    return existsSync(program) ? { program, version } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the command of the project's TypeScript. */
export function compilerProgram(root: string): string {
  return nativeCompiler(root)?.program ?? command;
}
