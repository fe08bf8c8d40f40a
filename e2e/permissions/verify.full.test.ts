// Runs rbac:verify on the code of the golden projects. The other tests in this directory run the projects.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attemptScaffold, checkout } from "../../scripts/test-support/scaffold.ts";
import { goldens, install } from "../lib/golden.ts";

const parent = mkdtempSync(join(tmpdir(), "kubewright-verify-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

interface Finding {
  id: string;
  severity: string;
  message: string;
  hint?: string;
}

async function verify(root: string): Promise<{ code: number; found: Finding[] }> {
  const options = ["rbac:roleName=manager-role,verify=true", "paths=./...", "output:none", "--json"];
  const { code, stdout } = await attemptScaffold(root, "generate", ...options);
  return { code, found: JSON.parse(stdout).diagnostics };
}

describe.each(readdirSync(goldens))("%s", (name) => {
  it("has markers and roles for all requests of its code", async () => {
    const root = join(parent, name);
    cpSync(join(goldens, name), root, { recursive: true });
    install(root);
    const { code, found } = await verify(root);
    expect(found.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(code).toBe(0);
  });
});

describe("the Game of the docs", () => {
  const root = join(parent, "examples-game");
  const controller = join(root, "src/controller/game-controller.ts");

  beforeAll(() => {
    cpSync(join(goldens, "game"), root, { recursive: true });
    cpSync(join(checkout, "examples/game"), root, { recursive: true });
    install(root);
  });

  it("has all required markers, and gets a warning about the unneeded markers of the article", async () => {
    const { code, found } = await verify(root);
    expect(code).toBe(0);
    expect(new Set(found.map(({ id, severity }) => `${severity}: ${id}`))).toEqual(new Set(["warning: rbac-unneeded"]));
    expect(found.map(({ message }) => message).join("\n")).toContain("deployments/status");
  });

  it("fails without a required marker, with the marker in the hint", async () => {
    const text = readFileSync(controller, "utf8");
    const marker = /^\/\/ \+kubebuilder:rbac:groups=apps,resources=deployments,.*\n/m;
    expect(text).toMatch(marker);
    writeFileSync(controller, text.replace(marker, ""));
    const { code, found } = await verify(root);
    expect(code).toBe(1);
    const missing = found.filter(({ id }) => id === "rbac-missing");
    expect(missing.length).toBeGreaterThan(0);
    for (const { severity, hint } of missing) {
      expect({ severity, hint }).toEqual({
        severity: "error",
        hint: expect.stringContaining("+kubebuilder:rbac:groups=apps,resources=deployments,verbs="),
      });
    }
    writeFileSync(controller, text);
  });
});
