import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";

async function project(...flags: string[]): Promise<string> {
  const root = testDirectory();
  const init = ["init", "--domain", "a.io", "--project-name", "a", "--fetch-deps=false"];
  expect(await runCli(root, [...init, ...flags])).toMatchObject({ code: 0 });
  return root;
}
const head = (root: string) => readFileSync(join(root, "hack/boilerplate.txt"), "utf8");

describe("edit", () => {
  it("replaces the owner and keeps the license", async () => {
    const root = await project("--license", "copyright", "--owner", "Old Inc.");
    const was = snapshot(root);
    expect(await runCli(root, ["edit", "--owner", "New & $& YEARLY"])).toMatchObject({ code: 0 });
    expect(head(root)).toBe("/*\nCopyright YEAR New & $& YEARLY.\n*/\n");
    expect(readFileSync(join(root, "src/main.ts"), "utf8")).toMatch(
      /^\/\*\nCopyright \d{4} New & \$& YEARLY\.\n\*\/\n/,
    );
    expect(await runCli(root, ["edit", "--owner", "Old Inc."])).toMatchObject({ code: 0 });
    expect(snapshot(root)).toEqual(was);
  });

  it("replaces the license and keeps the owner", async () => {
    const root = await project("--owner", "Acme");
    await runCli(root, ["edit", "--license", "copyright"]);
    expect(head(root)).toBe("/*\nCopyright YEAR Acme.\n*/\n");
    await runCli(root, ["edit", "--license", "apache2"]);
    expect(head(root)).toMatch(/^\/\*\nCopyright YEAR Acme\.\n\nLicensed under the Apache License/);
  });

  it("rejects an owner if the license header has no line for it", async () => {
    const root = await project("--license", "none");
    const was = snapshot(root);
    const { code, stderr } = await runCli(root, ["edit", "--owner", "Acme"]);
    expect(code).toBe(1);
    expect(stderr).toContain('error: --owner "Acme" can\'t be set: hack/boilerplate.txt has no line "Copyright YEAR');
    expect(snapshot(root)).toEqual(was);
  });
});
