// Tests that the modules of scripts/build-api.ts compile, and that the hand-written types agree with the data.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handWritten, moduleOf, readPackages } from "./data.ts";
import { moduleText } from "./module.ts";

const root = join(import.meta.dirname, "../../..");
const data = join(root, "data/core-types");
const packages = readPackages(join(data, readdirSync(data).sort().at(-1) ?? ""));
const modules = new Map<string, string>();
for (const goPackage of packages.keys()) {
  const module = moduleOf(goPackage);
  if (module !== undefined) modules.set(module, moduleText(goPackage, packages));
}
const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1";
const declared = (module: string) => modules.get(module) ?? "";

describe("the generated modules", () => {
  let tree = "";
  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), "kubewright-api-"));
    mkdirSync(join(tree, "src/api"), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
    for (const file of ["api/kind.ts", "api/index.ts", "api/kubernetes-version.ts"]) {
      writeFileSync(join(tree, "src", file), readFileSync(join(root, "packages/runtime/src", file)));
    }
    for (const [module, text] of modules) {
      mkdirSync(join(tree, "src/api", module, ".."), { recursive: true });
      writeFileSync(join(tree, "src/api", `${module}.ts`), text);
    }
    writeFileSync(join(tree, "package.json"), '{ "type": "module" }');
    writeFileSync(join(tree, "src/sample.ts"), sample);
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  it("compile, and accept typical objects", () => {
    const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
    const { options } = ts.convertCompilerOptionsFromJson(
      { ...config.compilerOptions, isolatedDeclarations: true, declaration: true, types: [], noUnusedLocals: true },
      root,
    );
    const files = ["sample", ...[...modules.keys()].map((module) => `api/${module}`)];
    const program = ts.createProgram(
      files.map((file) => join(tree, "src", `${file}.ts`)),
      options,
    );
    const messages = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
      return `${file?.fileName.slice(tree.length)}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
    expect(messages).toEqual([]);
  });
});

it("generated modules declare each name once", () => {
  for (const [module, text] of modules) {
    const names = [...text.matchAll(/^export (?:type|interface) ([A-Za-z]\w*)/gm)].map(([, name]) => name);
    expect(new Set(names).size, module).toBe(names.length);
  }
});

it("kinds contain the plural name and scope of their resource", () => {
  expect(declared("core/v1")).toContain(
    'export const Endpoints: Kind<Endpoints> = /* @__PURE__ */ GroupVersion.kind<Endpoints>("Endpoints", { plural: "endpoints", scope: "Namespaced" });',
  );
});

it("named string types accept other strings", () => {
  expect(declared("core/v1")).toContain(
    'export type PullPolicy = "Always" | "Never" | "IfNotPresent" | (string & {});',
  );
});

it("an imported type gets an alias if the module declares the same name", () => {
  for (const [module, text] of modules) {
    const imported = [...text.matchAll(/^import type \{ (.*) \} from/gm)].flatMap(([, list]) =>
      (list ?? "").split(", ").map((name) => name.split(" as ").at(-1)),
    );
    const own = [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name);
    expect(
      imported.filter((name) => own.includes(name)),
      module,
    ).toEqual([]);
  }
});

describe("the hand-written types", () => {
  const source = ts.createSourceFile(
    "index.ts",
    readFileSync(join(root, "packages/runtime/src/api/index.ts"), "utf8"),
    ts.ScriptTarget.Latest,
  );
  const fields = (name: string) => {
    const declaration = source.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
    return ((declaration as ts.InterfaceDeclaration | undefined)?.members ?? []).map((member) => ({
      name: (member.name as ts.Identifier).text,
      optional: member.questionToken !== undefined,
    }));
  };
  const inMeta = [...(handWritten as Map<string, string>)]
    .filter(([key]) => key.startsWith(`${metaV1}.`))
    .map(([, name]) => name);

  it.each(inMeta.filter((name) => fields(name).length > 0 && name !== "TypeMeta"))(
    "%s has the fields of the data",
    (name) => {
      const meta = packages.get(metaV1);
      const schema = meta?.about[name]?.shape ?? meta?.schemas[name];
      const expected = Object.keys(schema?.properties ?? {}).map((field) => ({
        name: field,
        optional: !schema?.required?.includes(field),
      }));
      expect(fields(name)).toEqual(expected);
    },
  );
});

const sample = `
import { Deployment, type DeploymentList, type DeploymentSpec } from "./api/apps/v1.ts";
import { Pod, type PodTemplateSpec, type PullPolicy, type ResourceList } from "./api/core/v1.ts";
import type { Condition, LabelSelector, ObjectMeta, Status } from "./api/meta/v1.ts";
import type { ObjectMeta as RootObjectMeta } from "./api/index.ts";
import type { JSONSchemaProps } from "./api/apiextensions/v1.ts";
import type { ObjectOf } from "./api/kind.ts";

const selector: LabelSelector = { matchLabels: { app: "game" } };
const template: PodTemplateSpec = {
  metadata: { labels: { app: "game" } },
  spec: {
    containers: [{
      name: "game", image: "game:1", imagePullPolicy: "Always",
      ports: [{ containerPort: 80 }],
      resources: { limits: { cpu: "500m", memory: "1Gi", "example.com/gpu": 1 } },
      livenessProbe: { httpGet: { path: "/", port: "http" } },
    }],
  },
};
export const deployment: Deployment = {
  apiVersion: Deployment.apiVersion, kind: Deployment.kind, metadata: { name: "game", namespace: "default" },
  spec: { replicas: 1, selector, template, strategy: { rollingUpdate: { maxSurge: "25%", maxUnavailable: 1 } } },
};
export const same: ObjectOf<typeof Deployment> = deployment;
export const list: DeploymentList = { apiVersion: "apps/v1", kind: "DeploymentList", metadata: {}, items: [deployment] };
export const replicas: number | undefined = deployment.status?.readyReplicas;
export const condition: Condition = { type: "Ready", status: "True", reason: "Up", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" };
export const known: PullPolicy = "Never", unknown: PullPolicy = "Sometimes", text: PullPolicy = String(1);
export const some: ResourceList = { cpu: 1 };
export const meta: ObjectMeta = {} as RootObjectMeta;
export const schema: JSONSchemaProps = { type: "object", $ref: "x", additionalProperties: true, items: { type: "string" }, "x-kubernetes-int-or-string": true };
export const status: Status = { status: "Failure", reason: "NotFound", code: 404, details: { causes: [{ field: "spec" }] } };
export const version: "apps/v1" = deployment.apiVersion, kind: "Pod" = Pod.kind;
// @ts-expect-error: a Pod is of v1
export const versionOfAnother: Pod = { apiVersion: "apps/v1", kind: "Pod" };
// @ts-expect-error: a container has a name
export const nameless: PodTemplateSpec = { spec: { containers: [{}] } };
// @ts-expect-error: selector and template are required
export const bare: DeploymentSpec = {};
// @ts-expect-error: no such field
export const wrong: Pod = { apiVersion: "v1", kind: Pod.kind, spec: { containers: [], replica: 1 } };
`;
