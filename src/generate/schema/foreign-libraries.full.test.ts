// The Kubernetes API types of other npm libraries result in the same CRD as the runtime's types.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generate } from "../generate.ts";
import { requestOf } from "../test-support/request.ts";

const versions = { "@kubernetes/client-node": "2.0.1", "kubernetes-models": "5.1.0" };
const cwd = mkdtempSync(join(tmpdir(), "kubewright-libraries-"));

beforeAll(async () => {
  const manifest = { name: "libraries", private: true, type: "module", dependencies: versions };
  writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await promisify(execFile)("npm", args, { cwd, shell: process.platform === "win32", timeout: 600_000 });
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Names of Kubernetes types by their package in the runtime. */
const types: Readonly<Record<string, readonly string[]>> = {
  "meta/v1": ["Condition", "LabelSelector", "ObjectMeta", "OwnerReference"],
  "core/v1": ["Affinity", "Container", "PodTemplateSpec", "ResourceRequirements", "ServicePort", "Toleration"],
  "apps/v1": ["DeploymentSpec", "StatefulSet"],
  "batch/v1": ["JobTemplateSpec"],
  "networking/v1": ["IngressSpec", "NetworkPolicyPeer"],
  "rbac/v1": ["PolicyRule"],
  "autoscaling/v2": ["MetricSpec"],
  "policy/v1": ["PodDisruptionBudgetSpec"],
};
const all = Object.entries(types).flatMap(([module, names]) => names.map((name) => ({ module, name })));

/** Returns the module of kubernetes-models for a package of the runtime. */
function modelsModule(module: string): string {
  if (module === "meta/v1") return "@kubernetes-models/apimachinery/apis/meta/v1";
  const [group = "", version = ""] = module.split("/");
  const dotted = { networking: "networking.k8s.io", rbac: "rbac.authorization.k8s.io" }[group] ?? group;
  return group === "core" ? `kubernetes-models/${version}` : `kubernetes-models/${dotted}/${version}`;
}

interface Library {
  /** Imports the types with their Kubernetes names. */
  readonly imports: string;
  readonly object: string;
}

const withV = (module: string) => module.slice(module.indexOf("/") + 1).toUpperCase();
const objectOf = (module: string) => `import type { KubernetesObject } from "${module}";\n`;
const runtime: Library = {
  imports: Object.entries(types)
    .map(([module, names]) => `import type { ${names.join(", ")} } from "@kubewright/runtime/api/${module}";\n`)
    .join(""),
  object: objectOf("@kubewright/runtime/api"),
};
const libraries: Readonly<Record<string, Library>> = {
  "@kubernetes/client-node": {
    imports: `import type { ${all.map(({ module, name }) => `${withV(module)}${name} as ${name}`).join(", ")} } from "@kubernetes/client-node";\n`,
    object: objectOf("@kubernetes/client-node"),
  },
  "kubernetes-models, interfaces of a group": {
    imports: Object.entries(types)
      .map(([module, names]) => {
        const specifiers = names.map((name) => `I${name} as ${name}`).join(", ");
        return `import type { ${specifiers} } from "${modelsModule(module)}";\n`;
      })
      .join(""),
    object: runtime.object,
  },
  "kubernetes-models, classes of a file": {
    imports: all
      .map(({ module, name }) => `import type { ${name} } from "${modelsModule(module)}/${name}";\n`)
      .join(""),
    object: runtime.object,
  },
  "kubernetes-models, through a file of the project": {
    imports: `import type { ${all.map(({ name }) => name).join(", ")} } from "../barrel.ts";\n`,
    object: runtime.object,
  },
};
const barrel = all
  .map(({ module, name }) => `export type { I${name} as ${name} } from "${modelsModule(module)}/${name}";\n`)
  .join("");

async function crdOf({ imports, object }: Library): Promise<string> {
  const fields = all.map(
    ({ name }, index) => `
  // +structType=${index % 2 === 0 ? "atomic" : "granular"}
  single${name}?: ${name};
  /** A list. */
  // +kubebuilder:validation:MaxItems=4
  many${name}?: ${name}[];`,
  );
  const changed = `
  byName?: Record<string, Toleration>;
  picked?: Pick<Container, "name" | "image">;
  partial?: Partial<Toleration>;
  indexed?: ServicePort["targetPort"];
  containers?: NonNullable<PodTemplateSpec["spec"]>["containers"];
  without?: Omit<Condition, "message">;`;
  const text = `// +groupName=example.com\n${imports}${object}
export interface Spec {${fields.join("")}${changed}\n}
export interface Thing extends KubernetesObject { spec: Spec }
`;
  for (const [path, content] of Object.entries({ "api/v1/thing.ts": text, "api/barrel.ts": barrel })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
  const request = requestOf(cwd, ["crd", "paths=./api/v1", "output:dir=out"]);
  const { diagnostics, plan } = await generate(request);
  expect(diagnostics.filter(({ id }) => id !== "crd-too-big")).toEqual([]);
  expect(plan.writes).toHaveLength(1);
  return JSON.stringify(plan.writes);
}

it.each(Object.keys(libraries))("%s result in the same CRD", async (name) => {
  const expected = await crdOf(runtime);
  expect(expected.length).toBeGreaterThan(500_000);
  expect((await crdOf(libraries[name]!)) === expected).toBe(true);
});
