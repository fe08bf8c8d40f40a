// Extracts the definitions of the validation tests in apiextensions, and records the responses of kube-apiserver.
// Needs Go and the real servers. Usage: npx tsx conformance/api-data/apiextensions/definitions.ts
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@kubewright/cel/json";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { RealServer } from "../../api-schemas/compare.ts";
import { type DefinitionRow, inputOf, verdictOn } from "../../api-schemas/definitions.ts";
import { copyModule } from "./copy-module.ts";

const target = fileURLToPath(
  new URL("../../../packages/apiserver/testdata/apiextensions/definitions.jsonl", import.meta.url),
);
/** The calls of the tests, and what passes their arguments on. */
const calls = {
  "errs := ValidateCustomResourceDefinition(ctx, tc.resource)": "dumpDefinitions(tc.resource, nil)",
  "errs := ValidateCustomResourceDefinitionUpdate(ctx, tc.resource, tc.old)": "dumpDefinitions(tc.resource, tc.old)",
  "got := validateCustomResourceDefinitionValidation(ctx, &tt.input,": "dumpSchema(&tt.input, tt.statusEnabled)",
};

const work = copyModule("k8s.io/apiextensions-apiserver@v0.36.3");
try {
  const directory = join(work, "pkg/apis/apiextensions/validation");
  const source = join(directory, "validation_test.go");
  let code = readFileSync(source, "utf8");
  for (const [call, dump] of Object.entries(calls)) {
    if (!code.includes(call)) throw new Error(`the tests don't contain ${call}`);
    code = code.replaceAll(call, `${dump}\n\t\t\t${call}`);
  }
  writeFileSync(source, code);
  cpSync(new URL("definitions-dump_test.go.txt", import.meta.url), join(directory, "dump_test.go"));
  const rows = join(work, "rows.jsonl");
  execFileSync("go", ["test", "-count=1", "-run", "TestValidateCustomResourceDefinition", "."], {
    cwd: directory,
    env: { ...process.env, GOFLAGS: "-mod=mod", ROWS: rows },
    stdio: "inherit",
  });
  const inputs = [...new Set(readFileSync(rows, "utf8").trim().split("\n"))].map((line) =>
    inputOf(JSON.parse(line) as { definition: JsonObject; old?: JsonObject }),
  );
  writeFileSync(target, await record(inputs));
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function record(inputs: readonly Omit<DefinitionRow, "verdict">[]): Promise<string> {
  const environment = new TestEnvironment({ engine: "binaries" });
  const server = new RealServer(await environment.start());
  try {
    const lines: string[] = [];
    for (const input of inputs) {
      const verdict = await verdictOn(input, (...request) => server.send(...request));
      // The tests update definitions that the server doesn't accept today.
      if (verdict !== undefined) lines.push(JSON.stringify({ ...input, verdict } satisfies DefinitionRow));
    }
    return `${lines.join("\n")}\n`;
  } finally {
    await environment.stop();
  }
}
