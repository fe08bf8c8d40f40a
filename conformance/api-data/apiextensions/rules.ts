// Extracts the validation rules of the CEL tests in apiextensions, with the objects that they are evaluated for and their results.
// Needs Go. Usage: npx tsx conformance/api-data/apiextensions/rules.ts
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyModule } from "./copy-module.ts";

interface Row {
  schema: object;
}

const target = fileURLToPath(new URL("../../../packages/cel/testdata/apiextensions/", import.meta.url));
const text = "return s.validate(ctx, fldPath, obj, oldObj, opt.ratchetingOptions, costBudget)";
const work = copyModule("k8s.io/apiextensions-apiserver@v0.36.3");
try {
  const directory = join(work, "pkg/apiserver/schema/cel");
  const source = join(directory, "validation.go");
  const code = readFileSync(source, "utf8");
  if (!code.includes(text)) throw new Error("the function that evaluates rules changed");
  const dumped = `errs, remainingBudget = s.validate(ctx, fldPath, obj, oldObj, opt.ratchetingOptions, costBudget)
	dump(ctx, s, obj, oldObj, costBudget, len(opts) > 0, errs, remainingBudget)
	return errs, remainingBudget`;
  writeFileSync(source, code.replace(text, dumped));
  cpSync(new URL("rules-dump.go.txt", import.meta.url), join(directory, "dump.go"));
  const rows = join(work, "rows.jsonl");
  execFileSync("go", ["test", "-count=1", "./pkg/apiserver/schema/cel/"], {
    cwd: work,
    env: { ...process.env, GOFLAGS: "-mod=mod", ROWS: rows },
    stdio: "inherit",
  });
  const lines = readFileSync(rows, "utf8").trim().split("\n");
  // The server evaluates rules only for objects that are valid by the schema, and always with the same limit per call.
  // OpenAPI has no form for the values of maps inside `allOf`.
  const evaluated = lines
    .filter((line) => !/invalid data, |call cost exceeds limit/.test(line))
    .filter((line) => line.includes('"x-kubernetes-validations"'));
  const unique = [...new Set(evaluated.map((line) => JSON.stringify(withRules(JSON.parse(line) as Row))))];
  writeFileSync(join(target, "rules.jsonl"), `${unique.sort().join("\n")}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Writes rules with the names of their fields in definitions: Go's internal type has none. */
function withRules(row: Row): Row {
  const visit = (schema: Record<string, unknown>): void => {
    const rules = schema["x-kubernetes-validations"];
    if (Array.isArray(rules)) schema["x-kubernetes-validations"] = rules.map(external);
    for (const part of Object.values(schema)) {
      if (part !== null && typeof part === "object") visit(part as Record<string, unknown>);
    }
  };
  visit(row.schema as Record<string, unknown>);
  return row;
}

function external(rule: Record<string, unknown>): object {
  const entries = Object.entries(rule).filter(([, value]) => value !== "" && value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]));
}
