import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "./exchange.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Objects of this size test only limits, which smaller objects test too. */
const longestLine = 50_000;

/**
 * Runs the validation tests of Kubernetes' built-in kinds with validations that write their arguments down. Needs Go.
 *
 * @returns the objects that the tests validate, as clients would send them
 */
export function extractRows(): Row[] {
  const work = mkdtempSync(join(tmpdir(), "validation-"));
  try {
    const go = (args: string[], env: NodeJS.ProcessEnv = {}): string =>
      execFileSync("go", args, { cwd: work, encoding: "utf8", env: { ...process.env, ...env }, maxBuffer: 2 ** 28 });
    for (const file of ["go.mod", "go.sum"]) cpSync(at(`../../scripts/api-data/kubernetes/${file}`), join(work, file));
    for (const name of ["dump", "instrument"]) {
      mkdirSync(join(work, name));
      cpSync(at(`go/${name}.go.txt`), join(work, name, "main.go"));
    }
    const { Dir } = JSON.parse(go(["list", "-m", "-json", "k8s.io/kubernetes"])) as { Dir: string };
    for (const part of ["pkg", "third_party", "go.mod"]) {
      cpSync(join(Dir, part), join(work, "kubernetes", part), { recursive: true });
    }
    makeWritable(join(work, "kubernetes"));
    go(["mod", "edit", "-module=kubewright.invalid/validation", "-replace=k8s.io/kubernetes=./kubernetes"]);
    const groups = join(work, "kubernetes/pkg/apis");
    const packages = readdirSync(groups, { withFileTypes: true })
      .filter((group) => group.isDirectory() && readdirSync(join(groups, group.name)).includes("validation"))
      .map(({ name }) => name);
    const files = packages.flatMap((group) =>
      readdirSync(join(groups, group, "validation"))
        .filter((name) => /^(?!zz_|doc\.).*(?<!_test)\.go$/.test(name))
        .map((name) => join(groups, group, "validation", name)),
    );
    go(["run", "./instrument", ...files]);
    const rows = join(work, "rows.jsonl");
    go(["test", "-mod=mod", "-count=1", ...packages.map((group) => `k8s.io/kubernetes/pkg/apis/${group}/validation`)], {
      ROWS: rows,
    });
    const lines = new Set(readFileSync(rows, "utf8").trim().split("\n"));
    return [...lines].filter((line) => line.length < longestLine).map((line) => JSON.parse(line) as Row);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function makeWritable(path: string): void {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
}
