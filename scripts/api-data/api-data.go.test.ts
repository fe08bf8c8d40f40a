// The checked-in data of the API server must equal what the scripts extract from Kubernetes' modules.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const data = join(import.meta.dirname, "../../packages/apiserver/data");
let out = "";

beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), "api-data-"));
  const args = ["--import", "tsx", join(import.meta.dirname, "extract.ts"), out];
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
});

afterAll(() => rmSync(out, { recursive: true, force: true }));

const files = readdirSync(data, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));

it.each(files)("%s equals the extracted data", (file) => {
  expect(readFileSync(join(out, file), "utf8") === readFileSync(join(data, file), "utf8")).toBe(true);
});
