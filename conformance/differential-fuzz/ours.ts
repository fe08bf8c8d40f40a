import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { asControllerGen } from "../../src/diagnostics/definitions/as-controller-gen.ts";
import { generate } from "../../src/generate/generate.ts";
import { requestOf } from "../../src/generate/test-support/request.ts";
import { typeScriptFiles } from "./emit/typescript.ts";
import type { Case, Options } from "./model.ts";
import { headerName, optionText } from "./options.ts";
import { type Verdict, withoutToolVersion } from "./reference.ts";

/** Runs our generator over one case. */
export async function runOurs(directory: string, api: Case, options: Options): Promise<Verdict> {
  rmSync(join(directory, api.id), { recursive: true, force: true });
  for (const [path, text] of typeScriptFiles(api)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const cwd = join(directory, api.id);
  if (options.header !== undefined) writeFileSync(join(cwd, headerName), options.header);
  const flags = [optionText(options), "paths=./...", "output:crd:dir=out"];
  const { diagnostics, plan } = await generate(requestOf(cwd, flags, { levels: asControllerGen }));
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  return {
    files: new Map(plan.writes.map((write) => [basename(write.path), withoutToolVersion(write.after ?? "")])),
    errors: errors.map(({ file, line, id, message }) => `${file}:${line}: ${id}: ${message}`),
  };
}
