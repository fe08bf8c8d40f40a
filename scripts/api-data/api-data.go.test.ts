// The checked-in data of the API server must equal what the scripts extract from Kubernetes' modules.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const data = join(import.meta.dirname, "../../packages/apiserver/data");
let out = "";

beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), "api-data-"));
  const run = (command: string, args: string[], directory = "."): void => {
    const cwd = join(import.meta.dirname, directory);
    execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  };
  run("go", ["run", ".", "-out", out]);
  run(process.execPath, ["--import", "tsx", "resources.ts", out]);
  run("go", ["run", "./columns", "-out", out], "kubernetes");
  run("go", ["run", "./internal", "-out", out], "kubernetes");
});

afterAll(() => rmSync(out, { recursive: true, force: true }));

it.each(["columns.json", "go-types.json", "internal-types.json", "models.json", "paths.json", "resources.json"])(
  "%s equals the extracted data",
  (file) => {
    expect(readFileSync(join(out, file), "utf8") === readFileSync(join(data, file), "utf8")).toBe(true);
  },
);
