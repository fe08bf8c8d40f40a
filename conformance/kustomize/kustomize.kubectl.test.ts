// For each combination of options, the deployment must equal that of kubebuilder's golden projects after the same
// calls.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { build, isElectionRole, type Json, podSecurityLabel, tolerate } from "../../scripts/test-support/manifests.ts";
import { sample, thorough, variants } from "../../scripts/test-support/thorough.ts";
import { runCli } from "../../src/cli/test-support/run-cli.ts";
import type { ProjectResource } from "../../src/project/project-file.ts";
import { manifestsOptions } from "../../src/scaffold/parts/versions.ts";
import { initProject } from "../../src/scaffold/test-support/game.ts";
import { type Base, baseOf, choices, choose, nameOf } from "./choices.ts";
import { ownBuild } from "./own-build.ts";

interface Call {
  /** The arguments of kubebuilder, with npm packages instead of Go modules. */
  readonly argv: string;
  /** The plugin of kubebuilder that scaffolded the kind. Here it is scaffolded like other kinds. */
  readonly plugin?: string;
}

interface Golden {
  readonly resources: readonly ProjectResource[];
  /** All forms of each object, by its name. */
  readonly objects: Readonly<Record<string, readonly Json[]>>;
  /** By combination of options, the form of each object. */
  readonly choices: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const testdata = fileURLToPath(new URL("../../testdata/kubebuilder", import.meta.url));
const read = (name: string) => JSON.parse(readFileSync(join(testdata, name), "utf8"));
const projects: readonly { name: string; init: object; calls: readonly Call[] }[] = read("projects.json");

/**
 * Full runs: all combinations for the project that uses most of the options, and for the others those that differ most.
 * Other runs: no and all options for that project, and all options for the others.
 */
const choicesOf = (name: string) => {
  if (name === "project-v4" && thorough) return choices;
  const lengths = thorough ? [0, 2, 5] : name === "project-v4" ? [0, 5] : [5];
  return choices.filter(({ length }) => lengths.includes(length));
};

describe.each(sample(projects, 1))("$name", ({ name, init, calls }) => {
  const golden: Golden = read(`${name}.json`);
  const ofPlugin = calls.filter(({ plugin }) => plugin !== undefined).map(({ argv }) => kindOf(argv));
  let root = "";
  let base: Base;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), `${name}-`));
    await initProject(root, {
      projectName: name,
      domain: "testproject.org",
      repo: `sigs.k8s.io/kubebuilder/testdata/${name}`,
      ...init,
    });
    for (const { argv } of calls) {
      const kubebuilder = argv.startsWith("create api ") ? ["--kstatus=false"] : [];
      expect(await runCli(root, [...argv.split(" "), ...kubebuilder]), argv).toMatchObject({ code: 0 });
    }
    expect(await runCli(root, ["generate", ...manifestsOptions.split(" ")])).toMatchObject({ code: 0 });
    base = baseOf(root);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("has the same resources in PROJECT as kubebuilder", () => {
    const { resources } = parse(readFileSync(join(root, "PROJECT"), "utf8"));
    expect(comparable(resources)).toEqual(comparable(golden.resources));
  });

  it("allows the manager to update only the Lease named by the leaderElectionID in src/main.ts", () => {
    const [, lease] = /leaderElectionID: "(.+)"/.exec(readFileSync(join(root, "src/main.ts"), "utf8")) ?? [];
    const group = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
    expect(Object.values(build(root)).find(isElectionRole)?.rules).toEqual([
      { ...group, verbs: ["create"] },
      { ...group, resourceNames: [lease], verbs: ["get", "update"] },
      { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
    ]);
  });

  it("requires the restricted Pod Security Standard in its namespace", () => {
    const namespace = Object.values(build(root)).find(({ kind }) => kind === "Namespace");
    expect(namespace?.metadata).toMatchObject({ labels: { [podSecurityLabel]: "restricted" } });
  });

  it.each(choicesOf(name).map((choice) => [nameOf(choice), choice] as const))(
    "deploys the same objects with %s",
    (option, choice) => {
      choose(root, base, choice);
      const wanted = Object.entries(golden.choices[option] ?? {}).map(([key, form]) => [
        key,
        golden.objects[key]?.[form],
      ]);
      const expected = tolerate(Object.fromEntries(wanted));
      const deployed = build(root);
      expect(ownBuild(root), "the build from which the chart is generated").toEqual(deployed);
      const built = tolerate(deployed);
      expect(Object.keys(built).sort()).toEqual(Object.keys(expected).sort());
      expect(withoutSchemas(built, ofPlugin)).toEqual(expected);
    },
  );

  // kubebuilder has no such option, so the expected objects are those of kustomize.
  const samples: (typeof choices)[number][] = [["webhook", "cert-manager", "metrics-certs", "sharding"], ["sharding"]];
  it.each(variants(samples, 1).map((choice) => [nameOf(choice), choice] as const))(
    "is built as by kustomize with %s",
    (_option, choice) => {
      choose(root, base, choice);
      const deployed = build(root);
      expect(Object.keys(deployed).filter((key) => /sharding|PodDisruptionBudget/.test(key))).toHaveLength(3);
      expect(ownBuild(root)).toEqual(deployed);
    },
  );
});

function kindOf(argv: string): string {
  return / --kind (\S+)/.exec(argv)?.[1] ?? "";
}

/**
 * Returns the entries without necessary differences: the packages of external types in npm and in Go.
 */
function comparable(resources: readonly ProjectResource[]): unknown[] {
  return resources
    .map((entry) => {
      const { path, module, ...rest } = entry;
      return { ...rest, ...(entry.external === true ? {} : { path }) };
    })
    .map((entry) => JSON.parse(JSON.stringify(entry)))
    .sort((a, b) =>
      JSON.stringify([a.group, a.kind, a.version]) < JSON.stringify([b.group, b.kind, b.version]) ? -1 : 1,
    );
}

/** Removes the schemas of kinds that a plugin of kubebuilder scaffolded, because the plugin adds fields. */
function withoutSchemas(objects: Record<string, Json>, kinds: readonly string[]): Record<string, Json> {
  const entries = Object.entries(objects).map(([key, object]) => {
    const kind = (object.spec as { names?: { kind?: string } } | undefined)?.names?.kind ?? "";
    const plugin = object.kind === "CustomResourceDefinition" && kinds.includes(kind);
    return [key, plugin ? { ...object, spec: "of the plugin deploy-image" } : object];
  });
  return Object.fromEntries(entries);
}
