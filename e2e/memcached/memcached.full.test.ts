// Follows the article about operator-sdk's Memcached: controller-gen's command lines, and a status of Pods.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definition } from "../lib/definitions.ts";
import { eventually } from "../lib/eventually.ts";
import { printTable } from "../lib/table.ts";
import { Workbench } from "../lib/workbench.ts";

const bench = new Workbench("memcached-operator");
const crdFile = "config/crd/bases/cache.example.com_memcacheds.yaml";
const types = "api/v1alpha1/memcached-types.ts";
const articleCrd = readFileSync(new URL("testdata/article-crd.yaml", import.meta.url), "utf8");

const generate = (...args: string[]) => bench.scaffold("generate", ...args);
const inProject = (path: string) => join(bench.project, path);
const nodes = async () => (await bench.kubectl.get("memcached", "memcached-sample")).status?.nodes;
const pods = async () => {
  const names = await bench.kubectl.run("get", "pods", "-l", "memcached_cr=memcached-sample", "-o", "name");
  return names.split("\n").flatMap((line) => line.split("/")[1] ?? []);
};

beforeAll(() => bench.open());
afterAll(() => bench.close());
printTable("Memcached");

describe("the Memcached operator", { sequential: true }, () => {
  it("has a help for init with every flag of the article that has an effect", async () => {
    const { stdout } = await bench.scaffold("init", "--help");
    const flags = "--domain --fetch-deps --license --owner --project-name --project-version --repo --plugins --verbose";
    for (const flag of flags.split(" ")) expect(stdout).toContain(flag);
  });

  it("is scaffolded with a Go module path", async () => {
    await bench.init("--domain", "example.com", "--repo", "github.com/example/memcached-operator");
    const kind = ["--group", "cache", "--version", "v1alpha1", "--kind", "Memcached"];
    await bench.scaffold("create", "api", ...kind, "--resource", "--controller", "--kstatus=false");
    expect(bench.read("PROJECT")).toContain("repo: github.com/example/memcached-operator");
    expect(JSON.parse(bench.read("package.json")).name).toBe("memcached-operator");
    for (const path of [types, "src/controller/memcached-controller.ts"])
      expect(existsSync(inProject(path))).toBe(true);
  });

  it("has the CRD of the article, with a required spec", async () => {
    bench.copyExample("memcached");
    await bench.make("generate");
    await bench.make("manifests");
    const expected = definition(articleCrd);
    expected.spec.versions[0].schema.openAPIV3Schema.required = ["spec"];
    expect(definition(bench.read(crdFile))).toEqual(expected);
    await bench.checkCode();
  });

  describe("each form of markers", () => {
    const withMarkers = async (from: string, to: string) => {
      bench.edit(types, from, to);
      const { stdout } = await generate("crd", "paths=./api/...", "output:stdout");
      bench.copyExample("memcached");
      return definition(stdout).spec.versions[0];
    };

    it("has an effect without a value: +kubebuilder:validation:Optional", async () => {
      const version = await withMarkers("  /** Size is", "  // +kubebuilder:validation:Optional\n  /** Size is");
      expect(version.schema.openAPIV3Schema.properties.spec.required).toBeUndefined();
    });

    it("has an effect with an anonymous value: +kubebuilder:validation:MaxItems=2", async () => {
      const version = await withMarkers("  /** Nodes are", "  // +kubebuilder:validation:MaxItems=2\n  /** Nodes are");
      expect(version.schema.openAPIV3Schema.properties.status.properties.nodes.maxItems).toBe(2);
    });

    it("has an effect with several arguments: +kubebuilder:printcolumn", async () => {
      const root = "// +kubebuilder:object:root=true\n";
      const column = '// +kubebuilder:printcolumn:JSONPath=".spec.size",name=Replicas,type=integer\n';
      const version = await withMarkers(root, root + column);
      expect(version.additionalPrinterColumns).toEqual([{ jsonPath: ".spec.size", name: "Replicas", type: "integer" }]);
    });
  });

  describe("scaffold generate with controller-gen's arguments", () => {
    it.each([
      ["-h", "generators"],
      ["-hhh", "[maxDescLen=<int>]"],
      ["--help", "-w, --which-markers"],
      ["--version", "0."],
    ])("%s", async (flag, text) => {
      expect((await generate(flag)).stdout).toContain(text);
    });

    it("prints JSON with -hhhh and -wwww", async () => {
      expect(JSON.parse((await generate("-hhhh")).stdout).length).toBeGreaterThan(0);
      expect(JSON.parse((await generate("crd", "-wwww")).stdout).length).toBeGreaterThan(0);
    });

    it("explains the markers for CRDs with crd -ww, including those of the article", async () => {
      const { stdout } = await generate("crd", "-ww");
      for (const marker of ["validation:Optional", "validation:MaxItems", "validation:Minimum", "printcolumn"]) {
        expect(stdout).toContain(`+kubebuilder:${marker} `);
      }
      expect(stdout).not.toContain("+kubebuilder:rbac");
    });

    it("writes CRDs to a directory and the rest to stdout with separate output rules", async () => {
      const { stdout } = await generate(
        "rbac:roleName=r",
        "crd",
        "paths=./...",
        "output:crd:dir=out/crds",
        "output:stdout",
      );
      expect(stdout).toContain("kind: ClusterRole");
      expect(stdout).not.toContain("CustomResourceDefinition");
      expect(readdirSync(inProject("out/crds"))).toEqual(["cache.example.com_memcacheds.yaml"]);
    });

    it("prints a note for object, which generates nothing", async () => {
      const { stdout, stderr } = await generate('object:headerFile="hack/boilerplate.txt",year=2022', "paths=./...");
      expect(stdout + stderr).toContain("plain data needs no generated code");
    });

    it("replaces only the schemas in existing files with schemapatch", async () => {
      mkdirSync(inProject("manifests"));
      bench.write(
        "manifests/crd.yaml",
        bench.read(crdFile).replace("minimum: 0", "minimum: 7").replace("v1alpha1\n", "v1alpha1\n    # mine\n"),
      );
      await generate("schemapatch:manifests=./manifests", "output:dir=./manifests", "paths=./api/...");
      expect(definition(bench.read("manifests/crd.yaml"))).toEqual(definition(bench.read(crdFile)));
    });

    it("fails without a generator, as controller-gen does", async () => {
      const { code, stderr } = await bench.attemptScaffold("generate", "paths=./api/...");
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("no generators specified") });
    });

    it.each([
      ["crd:maxDescLen=0", (crd: string) => !crd.includes("description:")],
      ["crd:maxDescLen=20", (crd: string) => crd.includes("description:") && !crd.includes("Servers should convert")],
      ["crd:crdVersions=v1", (crd: string) => crd.includes("apiextensions.k8s.io/v1\n")],
      ["crd:generateEmbeddedObjectMeta=true", (crd: string) => crd.includes("kind: Memcached\n")],
      ["crd:allowDangerousTypes=true", (crd: string) => crd.includes("kind: Memcached\n")],
    ])("%s", async (option, holds) => {
      expect((await generate(option, "paths=./api/...", "output:stdout")).stdout).toSatisfy(holds);
    });

    it("writes nothing with output:none, and separates code and configuration with output:artifacts", async () => {
      const before = readdirSync(bench.project).sort();
      await generate("crd", "paths=./...", "output:none");
      expect(readdirSync(bench.project).sort()).toEqual(before);
      await generate("crd", "paths=./...", "output:artifacts:config=out/config,code=out/code");
      expect(readdirSync(inProject("out/config"))).toEqual(["cache.example.com_memcacheds.yaml"]);
    });

    it("reports stale files with --check and the arguments of make manifests", async () => {
      const line = [
        "rbac:roleName=manager-role",
        "crd",
        "webhook",
        'paths="./..."',
        "output:crd:artifacts:config=config/crd/bases",
      ];
      await generate(...line, "--check");
      bench.edit(types, "Minimum=0", "Minimum=1");
      const stale = await bench.attemptScaffold("generate", ...line, "--check");
      expect(stale.code).toBe(1);
      expect(stale.stdout).toMatch(/^-\s+minimum: 0\n\+\s+minimum: 1$/m);
      bench.copyExample("memcached");
    });
  });

  it("runs after make install run", async () => {
    await bench.make("install");
    await bench.startOperator({ by: "make run" });
  });

  it("creates a Deployment with three replicas that the Memcached owns", async () => {
    await bench.kubectl.run("create", "-f", "config/samples/cache_v1alpha1_memcached.yaml");
    const deployment = await eventually(() => bench.kubectl.get("deployment", "memcached-sample"));
    expect(deployment.spec.replicas).toBe(3);
    expect(deployment.metadata.ownerReferences).toMatchObject([{ kind: "Memcached", controller: true }]);
    await eventually(async () => {
      expect(await bench.kubectl.run("get", "deploy", "memcached-sample")).toMatch(/memcached-sample +3\/3 +3 +3 /);
    });
  });

  it("sets status.nodes to the names of the Pods", async () => {
    await eventually(async () => {
      expect(await nodes()).toHaveLength(3);
      expect(await nodes()).toEqual((await pods()).sort());
    });
    expect(await bench.kubectl.run("get", "memcached")).toMatch(/^NAME +AGE\nmemcached-sample +\S+\n$/);
  });

  it("has four Pods and nodes and generation 2 after scaling to 4, as in the article", async () => {
    await bench.kubectl.run("patch", "memcached", "memcached-sample", "--type=merge", "-p", '{"spec":{"size":4}}');
    await eventually(async () => {
      expect(await nodes()).toHaveLength(4);
      expect(await nodes()).toEqual((await pods()).sort());
    });
    const { apiVersion, kind, metadata, spec } = await bench.kubectl.get("memcached", "memcached-sample");
    expect({ apiVersion, kind, spec, generation: metadata.generation }).toEqual({
      apiVersion: "cache.example.com/v1alpha1",
      kind: "Memcached",
      spec: { size: 4 },
      generation: 2,
    });
  });

  it("replaces a lost Pod in the status", async () => {
    const [lost = ""] = await pods();
    await bench.kubectl.run("delete", "pod", lost, "--grace-period=0", "--force");
    await eventually(async () => {
      expect(await nodes()).toHaveLength(4);
      expect(await nodes()).not.toContain(lost);
    });
  });

  it("rejects size -1 by the schema, and removes all Pods for size 0", async () => {
    const size = (value: number) => `{"spec":{"size":${value}}}`;
    const patch = ["patch", "memcached", "memcached-sample", "--type=merge", "-p"];
    const refused = await bench.kubectl.attempt(...patch, size(-1));
    expect(refused.stderr).toContain("spec.size in body should be greater than or equal to 0");
    await bench.kubectl.run(...patch, size(0));
    await eventually(async () => expect(await nodes()).toEqual([]));
  });

  it("leaves the children of a deleted Memcached to the garbage collector", async () => {
    await bench.kubectl.run("delete", "memcached", "memcached-sample");
    await eventually(async () => expect(await bench.kubectl.run("get", "deployments", "-o", "name")).toBe(""));
    expect(bench.failures).toEqual([]);
    await bench.stopOperator();
  });
});
