import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitions } from "../../diagnostics/definitions/index.ts";
import { errorSections } from "../../diagnostics/errors/index.ts";
import { initProject } from "../../scaffold/test-support/game.ts";
import { testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";
import { docsLink, guidePage, pageAt } from "./docs-links.ts";

const reference = (page: string) =>
  readFileSync(join(import.meta.dirname, `../../../docs/reference/${page}.md`), "utf8");
const errorIds = errorSections.flatMap(([, entries]) => Object.keys(entries));

describe("docsLink", () => {
  it.each([
    ["diagnostics", Object.keys(definitions)],
    ["errors", errorIds],
  ] as const)("returns an anchor that the reference contains for each ID: %s", (page, ids) => {
    const anchors = [...reference(page).matchAll(/^### `(.+)`$/gm)].map(([, id]) => id);
    expect(anchors.sort()).toEqual([...ids].sort());
    for (const id of ids)
      expect(docsLink(page, id)).toMatch(new RegExp(`^https://[^#]+/reference/${page}\\.\\w+#${id}$`));
  });
});

it.each([
  ["https://github.com/acme/kit#readme", "https://github.com/acme/kit/blob/main/docs/reference/errors.md"],
  ["https://kit.example.com/", "https://kit.example.com/reference/errors.html"],
])("pageAt returns a page for the homepage %s", (homepage, page) => {
  expect(pageAt(homepage, "reference/errors")).toBe(page);
});

it.each(["migrate-stored-objects", "readiness"] as const)(
  "guidePage returns the address of an existing page: %s",
  (page) => {
    expect(guidePage(page)).toMatch(new RegExp(`/guides/${page}\\.html$`));
    expect(existsSync(join(import.meta.dirname, `../../../docs/guides/${page}.md`))).toBe(true);
  },
);

describe("an error of a command", () => {
  const wrong = ["create", "api", "--group", "shop", "--version", "one", "--kind", "Game"];
  const project = async () => {
    const root = testDirectory();
    await initProject(root);
    return root;
  };
  const message = `error: --version "one" isn't a valid API version: use a version such as v1, v1alpha1 or v1beta1\n`;

  it("is one line without a terminal", async () => {
    expect(await runCli(await project(), wrong)).toEqual({ code: 2, stdout: "", stderr: message });
  });

  it("is followed by its address on a terminal and with --verbose", async () => {
    const root = await project();
    const link = `  ${docsLink("errors", "bad-version")}\n`;
    expect((await runCli(root, wrong, { tty: true, env: { NO_COLOR: "1" } })).stderr).toBe(`${message}${link}`);
    expect((await runCli(root, [...wrong, "--verbose"])).stderr).toBe(`${message}${link}`);
  });

  it("has its address below its hint", async () => {
    const { stderr } = await runCli(testDirectory(), ["create", "api", "--verbose"]);
    expect(stderr.split("\n").slice(1)).toEqual([
      "  hint: change to the project's directory, or create one: npm create kubewright@latest",
      `  ${docsLink("errors", "not-a-project")}`,
      "",
    ]);
  });

  it("has no address if --help explains it", async () => {
    expect((await runCli(testDirectory(), ["init", "--nope", "--verbose"])).stderr).not.toContain("https://");
  });
});

describe("diagnostics", () => {
  const game = `/** @file +groupName=example.com */
// +kubebuilder:nope
export interface Game {
  apiVersion: string;
  kind: string;
}
`;

  it("are followed by the address of each ID once with --verbose", async () => {
    const root = testDirectory({ PROJECT: 'version: "3"\n', "api/v1/game.ts": game });
    const plain = await runCli(root, ["generate"]);
    expect(plain.code).toBe(1);
    expect(plain.stderr).toContain("[unknown-marker]");
    expect(plain.stderr).not.toContain("https://");
    const verbose = await runCli(root, ["generate", "--verbose"]);
    expect(verbose.stderr.match(/https:.*/g)).toEqual([docsLink("diagnostics", "unknown-marker")]);
    expect(verbose.stderr.startsWith(plain.stderr)).toBe(true);
  });
});
