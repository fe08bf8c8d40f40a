// Migrates every Go project below PROJECTS_DIR, and compares the result with controller-gen. See README.md.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { which } from "../../scripts/test-support/tools.ts";
import { controllerGen } from "../differential-fuzz/reference.ts";
import { projectsBelow } from "./projects.ts";
import { tableOf } from "./table.ts";
import { missingTools, type Row, tryProject } from "./try-project.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    "skip-tests": { type: "boolean", default: false },
    "skip-checks": { type: "boolean", default: false },
    /** Runs the migrated operators instead of their checks; with the names of projects. */
    run: { type: "string" },
    /** A directory for the results and the migrated projects, which stay there. */
    work: { type: "string" },
  },
});

const until =
  values.run !== undefined ? "run" : values["skip-checks"] ? "manifests" : values["skip-tests"] ? "lint" : "test";

const directory = process.env.PROJECTS_DIR;
const missing = missingTools();
if (directory === undefined || directory === "" || missing.length > 0) {
  const why = missing.length > 0 ? `install ${missing.join(", ")}` : "set PROJECTS_DIR to a directory with Go projects";
  console.log(`skipped conformance/migrate: ${why}`);
  process.exit(0);
}

const temporary = mkdtempSync(join(tmpdir(), "kubewright-migrate-"));
const work = values.work === undefined ? temporary : resolve(values.work);
const store = join(work, "packages");
try {
  for (const path of [work, store]) mkdirSync(path, { recursive: true });
  const hasGo = which("go") !== undefined;
  if (!hasGo) console.log("Go isn't installed: compared with the manifests in the projects");
  const tool = hasGo ? controllerGen(temporary) : undefined;
  const rows: Row[] = [];
  for (const only of (values.run ?? values.only)?.split(",") ?? [undefined]) {
    for (const checkout of projectsBelow(directory, only)) {
      const started = performance.now();
      const row = await tryProject(checkout, { tool, work, store, until });
      rows.push(row);
      writeFileSync(join(work, `${row.name}.txt`), `${row.details.join("\n\n")}\n`);
      const took = ((performance.now() - started) / 1000).toFixed(0);
      console.log(`${row.isGood ? "good" : "not "} ${row.name} (${took} s): ${JSON.stringify(row.cells)}`);
    }
  }
  const table = tableOf(rows);
  console.log(table);
  writeFileSync(join(work, "table.md"), `${table}\n`);
  if (values.work !== undefined) console.log(`details: ${work}`);
  process.exitCode = rows.every(({ isGood }) => isGood) ? 0 : 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
