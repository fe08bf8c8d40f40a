// Migrates a recorded PROJECT file of kubebuilder's golden projects, without Go.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { build, type Json, tolerate } from "../../scripts/test-support/manifests.ts";
import { attemptScaffold, checkout, manifestsOptions } from "../../scripts/test-support/scaffold.ts";
import { externalApis } from "./moving.ts";

/** An entry of `resources` in PROJECT. */
interface ProjectResource {
  readonly external?: boolean;
}

interface Golden {
  readonly resources: readonly ProjectResource[];
  readonly objects: Readonly<Record<string, readonly Json[]>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const golden: Golden = JSON.parse(readFileSync(join(checkout, "testdata/kubebuilder/project-v4.json"), "utf8"));
const plugins = { "grafana.kubebuilder.io/v1-alpha": {} };

/** The PROJECT file of kubebuilder. */
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
  let go = "";
  let root = "";
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const project = () => parse(read("PROJECT"));

  beforeAll(() => {
    const parent = mkdtempSync(join(tmpdir(), "kubewright-migrate-"));
    [go, root] = [join(parent, "project-v4"), join(parent, "project-v4-ts")];
    for (const directory of [join(go, "hack"), root]) mkdirSync(directory, { recursive: true });
    writeFileSync(join(go, "PROJECT"), theirs);
    writeFileSync(join(go, "hack/boilerplate.go.txt"), "/*\nCopyright YEAR The authors.\n*/\n");
  });
  afterAll(() => rmSync(dirname(root), { recursive: true, force: true }));

  it("can't be upgraded before the migration, which the error recommends", async () => {
    const end = await attemptScaffold(go, "upgrade");
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("its layout is go.kubebuilder.io/v4");
    expect(end.stderr).toContain("npx kubewright@latest migrate");
    expect(readFileSync(join(go, "PROJECT"), "utf8")).toBe(theirs);
  });

  it("is scaffolded from PROJECT only", async () => {
    const flags = ["--external-apis", externalApis(), "--fetch-deps=false"];
    expect(await attemptScaffold(root, "migrate", "../project-v4", ...flags)).toMatchObject({ code: 0 });
    expect(read("src/controller/captain-backup-controller.ts")).toContain("The authors.");
    expect(read("api/v2/firstmate-conversion.ts")).toContain("FirstMate");
  });

  it("has the same resources", () => {
    const own = (resources: readonly ProjectResource[]) => resources.filter(({ external }) => external !== true);
    expect(own(project().resources)).toEqual(own(golden.resources));
    expect(project().resources).toHaveLength(golden.resources.length);
    expect(project().repo).toBe("sigs.k8s.io/kubebuilder/testdata/project-v4");
  });

  it("keeps unknown plugins", () => expect(project().plugins).toEqual(plugins));

  // The only test of this file that needs kubectl. scripts/test.mjs sets the variable and names skipped tests.
  it.skipIf(process.env.KUBEWRIGHT_WITHOUT_KUBECTL === "true")("deploys the same objects", async () => {
    expect(await attemptScaffold(root, "generate", ...manifestsOptions)).toMatchObject({ code: 0 });
    const wanted = Object.entries(golden.choices["webhook+cert-manager"] ?? {});
    const expected = tolerate(
      Object.fromEntries(wanted.map(([key, form]) => [key, golden.objects[key]?.[form] ?? {}])),
    );
    expect(tolerate(build(root))).toEqual(expected);
  });

  fullTest("is up to date, and works with the other commands", async () => {
    expect((await attemptScaffold(root, "upgrade", "--check")).code).toBe(0);
    const api = ["create", "api", "--group", "crew", "--version", "v1", "--kind", "Bosun"];
    expect(await attemptScaffold(root, ...api)).toMatchObject({ code: 0 });
    expect(
      await attemptScaffold(root, "delete", "webhook", "--group", "crew", "--version", "v1", "--kind", "Sailor"),
    ).toMatchObject({
      code: 0,
    });
  });
});
