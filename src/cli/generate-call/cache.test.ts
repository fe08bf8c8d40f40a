import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../test-support/run-cli.ts";

const thing = `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";

/** Thing. */
export interface Thing extends KubernetesObject {
  // +optinal
  a?: string;
}
`;
const crd = "config/crd/bases/example.com_things.yaml";

/** Creates a project, by default with the directory that contains the cache. */
function project(installed = true): string {
  const root = mkdtempSync(join(tmpdir(), "kubewright-cli-cache-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  if (installed) mkdirSync(join(root, "node_modules"));
  for (const [path, text] of Object.entries({ PROJECT: 'version: "3"\n', "api/v1/thing.ts": thing })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const stored = (root: string) => {
  const directory = join(root, "node_modules/.cache/kubewright");
  return existsSync(directory) ? readdirSync(directory) : [];
};

it.each([[[]], [["--json"]], [["--check"]], [["--prune"]], [["--strict"]], [["crd", "paths=./...", "output:stdout"]]])(
  "prints and writes the same with and without a cache: generate %j",
  async (args) => {
    const [cached, plain] = [project(), project(false)];
    for (const round of ["first", "second", "after a kind came", "after a kind went", "after the CRD was edited"]) {
      for (const root of [cached, plain]) {
        const other = join(root, "api/v1/other.ts");
        if (round === "after a kind came") writeFileSync(other, thing.replaceAll("Thing", "Other"));
        if (round === "after a kind went") rmSync(other);
        if (round === "after the CRD was edited" && existsSync(join(root, crd)))
          appendFileSync(join(root, crd), "# x\n");
      }
      const expected = await runCli(plain, ["generate", ...args]);
      expect(await runCli(cached, ["generate", ...args]), round).toEqual(expected);
      expect(expected.stderr + expected.stdout).toContain("near-miss-marker");
    }
    expect(stored(cached).length).toBeGreaterThan(0);
    expect(existsSync(join(plain, "node_modules"))).toBe(false);
  },
);

it("writes a file again after a change by hand", async () => {
  const root = project();
  await runCli(root, ["generate"]);
  const made = readFileSync(join(root, crd), "utf8");
  writeFileSync(join(root, crd), "changed\n");
  expect((await runCli(root, ["generate"])).stderr).toContain(`update ${crd}`);
  expect(readFileSync(join(root, crd), "utf8")).toBe(made);
  rmSync(join(root, "config"), { recursive: true });
  expect((await runCli(root, ["generate"])).stderr).toContain(`create ${crd}`);
});

it("writes nothing with --dry-run, not even to the cache", async () => {
  const root = project();
  await runCli(root, ["generate", "--dry-run"]);
  expect(readdirSync(join(root, "node_modules"))).toEqual([]);
});
