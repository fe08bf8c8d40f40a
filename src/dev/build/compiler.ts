import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Returns the program of the project's TypeScript: from version 7 on a native one, whose package starts it with Node.js, which
 * takes as long as a small check.
 *
 * @param root - the project
 * @returns the path of the native program, or the name of the package's command
 */
export function compilerProgram(root: string): string {
  const command = "tsc";
  // Its name is limited in length there, and the package's command works around it.
  if (process.platform === "win32") return command;
  try {
    const typescript = createRequire(join(root, "package.json")).resolve("typescript/package.json");
    const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
    const program = join(dirname(createRequire(typescript).resolve(native)), "lib", command);
    return existsSync(program) ? program : command;
  } catch {
    return command;
  }
}
