import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../test-support/run-cli.ts";

const golden = join(import.meta.dirname, "../../../testdata/projects/website");

function project() {
  const root = mkdtempSync(join(tmpdir(), "kubewright-apidocs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(golden, root, { recursive: true });
  return {
    read: (path: string) => readFileSync(join(root, path), "utf8"),
    write: (path: string, text: string) => writeFileSync(join(root, path), text),
    pages: () => (existsSync(join(root, "docs/api")) ? readdirSync(join(root, "docs/api")).sort() : []),
    makeDirectory: (path: string) => mkdirSync(join(root, path), { recursive: true }),
    run: (...argv: string[]) => runCli(root, argv, { env: { PATH: process.env.PATH ?? "" } }),
  };
}

it("edit --enable apidocs adds the API reference, and --disable removes it and keeps the configuration", async () => {
  const { read, write, pages, makeDirectory, run } = project();
  const makefile = read("Makefile");
  makeDirectory("docs/api");
  write("docs/api/config.yaml", "processor: {}\n");
  write("docs/api/intro.md", "# Mine\n");
  expect(await run("edit", "--enable", "apidocs")).toMatchObject({ code: 0 });
  expect(read("Makefile")).toBe(makefile.replace(" crd webhook paths", " crd webhook apidocs paths"));
  expect(await run("generate")).toMatchObject({ code: 0 });
  expect(pages()).toEqual(["config.yaml", "index.md", "intro.md"]);
  expect(read("docs/api/index.md")).toContain("WebsiteSpec defines the desired state of Website.");
  expect(await run("generate", "--check")).toMatchObject({ code: 0, stdout: "" });
  expect(await run("edit", "--disable", "apidocs")).toMatchObject({ code: 0 });
  expect(read("Makefile")).toBe(makefile);
  expect(pages()).toEqual(["config.yaml", "intro.md"]);
});

it("--check reports an outdated page, and --prune removes the pages of another mode or format", async () => {
  const { read, write, pages, run } = project();
  const call = (...more: string[]) => run("generate", ...more, "paths=./...");
  expect(await call("apidocs:mode=group,format=markdown;html")).toMatchObject({ code: 0 });
  expect(pages()).toEqual(["index.html", "index.md", "web.example.com.html", "web.example.com.md"]);
  const types = "api/v1/website-types.ts";
  write(types, read(types).replace("serves the website", "serves all of it"));
  expect(await call("apidocs:mode=group,format=markdown;html", "--check")).toMatchObject({ code: 1 });
  const warned = await call("apidocs");
  expect(warned.stderr).toContain("extraneous-file");
  expect(await call("apidocs", "--prune")).toMatchObject({ code: 0 });
  expect(pages()).toEqual(["index.md"]);
  expect(read("docs/api/index.md")).toContain("serves all of it");
});
