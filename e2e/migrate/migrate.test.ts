// A PROJECT of kubebuilder becomes a project here: from what its golden projects record, without Go.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { runCli } from "../../src/cli/test-support/run-cli.ts";
import type { ProjectResource } from "../../src/project/project-file.ts";
import { manifestsOptions } from "../../src/scaffold/versions.ts";
import { build, type Json, tolerate } from "../kustomize/objects.ts";
import { checkout } from "../lib/scaffold.ts";
import { moved } from "./moving.ts";

interface Golden {
  readonly resources: readonly ProjectResource[];
  readonly objects: Readonly<Record<string, readonly Json[]>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const golden: Golden = JSON.parse(readFileSync(join(checkout, "testdata/kubebuilder/project-v4.json"), "utf8"));
const plugins = { "grafana.kubebuilder.io/v1-alpha": {} };

/** The file as kubebuilder keeps it. */
const theirs = stringify({
  cliVersion: "4.15.0",
  domain: "testproject.org",
  layout: ["go.kubebuilder.io/v4"],
  plugins,
  projectName: "project-v4",
  repo: "sigs.k8s.io/kubebuilder/testdata/project-v4",
  resources: golden.resources,
  version: "3",
});

describe("a project of kubebuilder", () => {
  let root = "";
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const project = () => parse(read("PROJECT"));

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "kubewright-migrate-"));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("is refused as it stands, with what to do", async () => {
    writeFileSync(join(root, "PROJECT"), theirs);
    const end = await runCli(root, ["upgrade"]);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("its layout is go.kubebuilder.io/v4");
    expect(end.stderr).toContain("docs/migrate.md");
    expect(read("PROJECT")).toBe(theirs);
  });

  it("is scaffolded from PROJECT alone", async () => {
    writeFileSync(join(root, "PROJECT"), moved(theirs));
    mkdirSync(join(root, "hack"));
    writeFileSync(join(root, "hack/boilerplate.txt"), "/*\nCopyright YEAR The authors.\n*/\n");
    expect(await runCli(root, ["upgrade"])).toMatchObject({ code: 0 });
    expect(read("src/controller/captain-backup-controller.ts")).toContain("The authors.");
    expect(read("api/v2/firstmate-conversion.ts")).toContain("FirstMate");
  });

  it("has its resources as they were", () => {
    const own = (resources: readonly ProjectResource[]) => resources.filter(({ external }) => external !== true);
    expect(own(project().resources)).toEqual(own(golden.resources));
    expect(project().resources).toHaveLength(golden.resources.length);
    expect(project().repo).toBe("sigs.k8s.io/kubebuilder/testdata/project-v4");
  });

  it("keeps what it doesn't know", () => expect(project().plugins).toEqual(plugins));

  it("deploys what it deployed", async () => {
    expect(await runCli(root, ["generate", ...manifestsOptions.split(" ")])).toMatchObject({ code: 0 });
    const wanted = Object.entries(golden.choices["webhook+cert-manager"] ?? {});
    const expected = tolerate(
      Object.fromEntries(wanted.map(([key, form]) => [key, golden.objects[key]?.[form] ?? {}])),
    );
    expect(tolerate(build(root))).toEqual(expected);
  });

  it("is whole, up to date, and takes the other commands", async () => {
    expect((await runCli(root, ["upgrade", "--check"])).code).toBe(0);
    const api = ["create", "api", "--group", "crew", "--version", "v1", "--kind", "Bosun"];
    expect(await runCli(root, api)).toMatchObject({ code: 0 });
    expect(
      await runCli(root, ["delete", "webhook", "--group", "crew", "--version", "v1", "--kind", "Sailor"]),
    ).toMatchObject({
      code: 0,
    });
  });
});
