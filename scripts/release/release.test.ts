// Tests the files from which a release gets its versions and notes.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { root } from "../lib/run.mjs";

const text = (path: string): string => readFileSync(join(root, path), "utf8");
const directories = ["", "packages/runtime/", "packages/apiserver/", "packages/cel/", "packages/create-kubewright/"];
const manifests = directories.map((directory) => JSON.parse(text(`${directory}package.json`)));
const names = manifests.map(({ name }) => name as string);

describe("the packages", () => {
  it("have the same version, and keep it in every release", () => {
    expect(new Set(manifests.map(({ version }) => version)).size).toBe(1);
    expect(JSON.parse(text(".changeset/config.json")).fixed).toEqual([names]);
  });

  it("contain their repository, because npm rejects provenance from another one", () => {
    for (const { repository, license, author, homepage, bugs } of manifests) {
      expect(repository.url).toMatch(/^git\+https:\/\/github\.com\/.*\.git$/);
      const home = repository.url.slice("git+".length, -".git".length);
      expect(homepage).toBe(manifests[0].homepage);
      expect(bugs.url).toBe(`${home}/issues`);
      expect(text(".github/workflows/release.yml")).toContain(`'${home.split("/").slice(-2).join("/")}'`);
      expect([license, author]).toEqual(["Apache-2.0", "The kubewright authors"]);
    }
    const inRepository = manifests.map(({ repository }) => `${repository.directory ?? ""}/`.replace(/^\/$/, ""));
    expect(inRepository).toEqual(directories);
  });

  it("accept newer API servers, because an upper bound would make each release a major one", () => {
    expect(manifests[1].peerDependencies["@kubewright/apiserver"]).toBe(">=0.1.0-0");
  });

  it("have their version in their changelogs, because a release without notes is rejected", () => {
    for (const path of directories.map((directory) => `${directory}CHANGELOG.md`)) {
      expect(text(path)).toContain(`\n## ${manifests[0].version}\n`);
      // New entries are inserted after the first line.
      expect(text(path)).toMatch(/^# .*\n/);
    }
  });
});

describe("the notes in .changeset", () => {
  const notes = readdirSync(join(root, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md");

  it("contain our packages, the kind of release, and a description", () => {
    for (const name of notes) {
      const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text(`.changeset/${name}`)) ?? [];
      const releases = Object.entries(load(head) as Record<string, string>);
      expect(releases.length, name).toBeGreaterThan(0);
      for (const [of, bump] of releases) {
        expect(names, name).toContain(of);
        expect(["patch", "minor", "major"], name).toContain(bump);
      }
      expect(body.trim(), name).not.toBe("");
    }
  });
});
