// Tests `scaffold migrate` with operators of other projects, from Go's module proxy. Their PROJECT files differ from
// the code: other groups, missing kinds, and other directories.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { linkPackages } from "../../scripts/test-support/packages.ts";
import { checkout, manifestsOptions, scaffold } from "../../scripts/test-support/scaffold.ts";

interface Operator {
  readonly name: string;
  /** The directory of `crd/bases` and `rbac/role.yaml`. */
  readonly config: string;
  /** A part of each note that the migration prints. */
  readonly notes: readonly string[];
}

const operators: readonly Operator[] = [
  {
    name: "jobset",
    config: "config/components",
    notes: [
      "the role markers of pkg/controllers/pod_controller.go are at the end of src/main.ts",
      "the role markers of pkg/util/cert/cert.go are at the end of src/main.ts",
      "the webhook at /validate--v1-pod isn't served yet",
      "the webhook at /mutate--v1-pod isn't served yet",
      "set multigroup: true in PROJECT",
    ],
  },
  {
    name: "keda",
    config: "config",
    notes: [
      ...["ScaledObject", "ScaledJob", "TriggerAuthentication", "ClusterTriggerAuthentication"].map(
        (kind) => `changed the group of ${kind} from keda.keda.sh (in PROJECT) to keda.sh (in its CRD)`,
      ),
      "\ncloudeventsources.eventing.keda.sh has no kind in PROJECT",
      "\nclustercloudeventsources.eventing.keda.sh has no kind in PROJECT",
      "the role markers of controllers/eventing/cloudeventsource_controller.go are at the end of src/main.ts",
      "the role markers of controllers/eventing/clustercloudeventsource_controller.go are at the end of src/main.ts",
      "the role markers of pkg/certificates/certificate_manager.go are at the end of src/main.ts",
      // Its Makefile doesn't generate webhooks for the packages of the types.
      ...["eventing/v1alpha1/cloudeventsource", "keda/v1alpha1/triggerauthentication"].map(
        (file) => `apis/${file}_webhook.go:`,
      ),
      ...["scaledjob", "scaledobject"].map((file) => `apis/keda/v1alpha1/${file}_webhook.go:`),
      "4 notes are shortened",
    ],
  },
];

/** Returns the sources of a module at the version that conformance/crd-parity pins. */
async function sourcesOf(name: string, cwd: string): Promise<string> {
  const { modules } = JSON.parse(readFileSync(join(checkout, "conformance/crd-parity/modules.json"), "utf8"));
  const pinned = modules.find((module: { name: string }) => module.name === name);
  const { stdout } = await must("go", ["mod", "download", "-json", `${pinned.module}@${pinned.version}`], { cwd });
  return JSON.parse(stdout).Dir;
}

describe.each(operators)("$name, migrated from Go", ({ name, config, notes }) => {
  const parent = mkdtempSync(join(tmpdir(), "kubewright-migrate-"));
  const ours = join(parent, `${name}-ts`);
  let theirs = "";
  let stderr = "";
  /** Returns a file without the name of its generator and of the role. */
  const text = (...path: string[]) =>
    readFileSync(join(...path), "utf8").replace(
      /(controller-gen\.kubebuilder\.io\/version: |^ {2}name: (?=(manager-role|keda-operator)$)).*/gm,
      "$1",
    );

  beforeAll(async () => {
    mkdirSync(ours);
    theirs = await sourcesOf(name, parent);
    ({ stderr } = await scaffold(ours, "migrate", theirs, "--fetch-deps=false"));
    await scaffold(ours, "generate", ...manifestsOptions);
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it("reports only parts that PROJECT didn't contain", () => {
    for (const part of notes) expect(`\n${stderr}`).toContain(part);
    // Files without a counterpart are in another list.
    const lines = stderr.trim().split("\n");
    expect(lines.filter((line) => !line.startsWith("not taken over: "))).toHaveLength(notes.length);
  });

  it("has identical CRDs", () => {
    const bases = join(theirs, config, "crd/bases");
    const files = readdirSync(bases).filter((file) => file.endsWith(".yaml"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(text(ours, "config/crd/bases", file), file).toBe(text(bases, file));
  });

  it("has identical roles", () => {
    expect(text(ours, "config/rbac/role.yaml")).toBe(text(theirs, config, "rbac/role.yaml"));
  });

  it("passes typecheck, lint and its tests, and is complete", async () => {
    await linkPackages(ours);
    // Without packages, the migration had no formatter.
    for (const script of ["typecheck", "fmt", "lint", "test"]) await must("npm", ["run", script], { cwd: ours });
    expect((await scaffold(ours, "doctor")).stdout).toMatch(
      new RegExp(`project ${basename(name)}: \\d+ resources?, complete`),
    );
  });
});
