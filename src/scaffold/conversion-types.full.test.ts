// The code of a new conversion, compiled with types whose fields are required.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { installPackages } from "./test-support/formatted.ts";
import { createApi, createWebhook, initProject } from "./test-support/game.ts";
import { testDirectory } from "./test-support/tree.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the compiler's errors in a file. */
function errorsIn(path: string): string[] {
  const { config } = ts.readConfigFile(join(repository, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [path] }, ts.sys, repository);
  const program = ts.createProgram([path], options);
  const source = program.getSourceFile(path);
  return ts
    .getPreEmitDiagnostics(program, source)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

it("a new conversion compiles if both versions have the same required fields, and the spec is optional", async () => {
  const root = testDirectory();
  await initProject(root);
  await createApi(root);
  await createApi(root, { version: "v2", controller: false });
  for (const version of ["v1", "v2"]) {
    const path = join(root, `api/${version}/game-types.ts`);
    const types = readFileSync(path, "utf8").replace(/^ {2}foo\?: string;$/m, "  title: string;");
    writeFileSync(path, types.replace("  spec: GameSpec;", "  spec?: GameSpec;"));
  }
  await createWebhook(root, { conversion: true, spokes: ["v2"] });
  installPackages(root, "@kubewright/runtime");
  const conversion = join(root, "api/v2/game-conversion.ts");
  expect(errorsIn(conversion)).toEqual([]);
  // Fields that only one version requires are still reported.
  const types = join(root, "api/v1/game-types.ts");
  writeFileSync(types, readFileSync(types, "utf8").replace("  title: string;", "  name: string;"));
  expect(errorsIn(conversion).join("\n")).toContain("Property 'name' is missing");
});
