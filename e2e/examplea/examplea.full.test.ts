// Follows the article about ExampleA, whose status shows whether Pods of its group exist.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definition } from "../lib/definitions.ts";
import { eventually } from "../lib/eventually.ts";
import { printTable } from "../lib/table.ts";
import { Workbench } from "../lib/workbench.ts";

const bench = new Workbench("opex");
const crd = "exampleas.example.linkinstars.com";
const crdFile = "config/crd/bases/example.linkinstars.com_exampleas.yaml";
const types = "api/v1/examplea-types.ts";
const busybox = "config/samples/busybox.yaml";

const underControl = async (name = "my-opex") => (await bench.kubectl.get(crd, name)).status?.underControl;
const becomes = (value: boolean, name?: string) => eventually(async () => expect(await underControl(name)).toBe(value));

beforeAll(() => bench.open());
afterAll(() => bench.close());
printTable("ExampleA");

describe("the ExampleA operator", { sequential: true }, () => {
  it("is scaffolded with the article's flags", async () => {
    await bench.init("--domain", "linkinstars.com", "--repo", "linkinstars.com/op-ex");
    await bench.scaffold(
      "create",
      "api",
      "--group",
      "example",
      "--version",
      "v1",
      "--kind",
      "ExampleA",
      "--kstatus=false",
    );
  });

  it("has the same plural in the kustomization, role and CRD, unlike in the article", async () => {
    await bench.make("manifests");
    expect(bench.read("config/crd/kustomization.yaml")).toContain("- bases/example.linkinstars.com_exampleas.yaml\n");
    expect(await bench.kubectl.run("kustomize", "config/crd")).toContain(`name: ${crd}`);
    expect(bench.read("config/rbac/role.yaml")).toContain("  - exampleas\n");
    // Without a recorded plural, kubebuilder would use another one.
    expect(bench.read("PROJECT")).toContain("  plural: exampleas\n");
  });

  it("fails in make if the kustomization lists another plural, with an error that names both files", async () => {
    const root = "// +kubebuilder:object:root=true\n";
    bench.edit(types, root, `${root}// +kubebuilder:resource:path=examplea\n`);
    for (const target of ["manifests", "install"]) {
      const { code, stderr } = await bench.attemptMake(target);
      expect(code).not.toBe(0);
      expect(stderr).toContain(
        "config/crd/kustomization.yaml:3:3: error: bases/example.linkinstars.com_exampleas.yaml is installed, but " +
          "the kind's CRD is written to bases/example.linkinstars.com_examplea.yaml [misnamed-crd]",
      );
      expect(stderr).toContain("hint: list bases/example.linkinstars.com_examplea.yaml here");
    }
    bench.edit(types, "// +kubebuilder:resource:path=examplea\n", "");
  });

  it("fails in make for the article's mistake, a wrong name in the kustomization, with a hint", async () => {
    bench.edit("config/crd/kustomization.yaml", "_exampleas.yaml", "_examplea.yaml");
    const { code, stderr } = await bench.attemptMake("install");
    expect(code).not.toBe(0);
    expect(stderr).toContain("hint: list bases/example.linkinstars.com_exampleas.yaml here");
    bench.edit("config/crd/kustomization.yaml", "_examplea.yaml", "_exampleas.yaml");
    await bench.make("manifests");
  });

  it("has the fields groupName and underControl in its CRD after make manifests", async () => {
    const before = definition(bench.read(crdFile));
    bench.copyExample("examplea");
    await bench.make("manifests");
    const after = definition(bench.read(crdFile));
    const fields = (made: typeof after) => {
      const { spec, status } = made.spec.versions[0].schema.openAPIV3Schema.properties;
      return { spec: Object.keys(spec.properties), status: Object.keys(status.properties) };
    };
    expect(fields(before)).toEqual({ spec: ["foo"], status: ["conditions"] });
    expect(fields(after)).toEqual({ spec: ["groupName"], status: ["underControl"] });
    const { properties } = after.spec.versions[0].schema.openAPIV3Schema;
    expect(properties.spec.properties.groupName.type).toBe("string");
    expect(properties.status.properties.underControl.type).toBe("boolean");
    await bench.checkCode();
  });

  it("has its CRD in the cluster after make install", async () => {
    await bench.make("install");
    expect(await bench.kubectl.run("get", "crds")).toMatch(/^exampleas\.example\.linkinstars\.com +/m);
  });

  it("starts a source for ExampleAs and one for Pods with make run", async () => {
    await bench.startOperator({ by: "make run" });
    const { output } = bench.operator;
    expect(output.match(/"msg":"Starting EventSource"/g)).toHaveLength(2);
    for (const kind of ["ExampleA", "Pod"]) expect(output).toContain(`kind source: ${kind}`);
  });

  it("sets underControl to false without Pods", async () => {
    await bench.kubectl.run("apply", "-f", "config/samples/example_v1_examplea.yaml");
    await becomes(false);
  });

  it("sets underControl to true for a Pod of the group", async () => {
    await bench.kubectl.run("apply", "-f", busybox);
    await becomes(true);
    const description = await bench.kubectl.run("describe", "ExampleA", "my-opex");
    expect(description).toMatch(/Spec:\n +Group Name: +business\nStatus:\n +Under Control: +true\n/);
  });

  it("counts Pods in other namespaces, but not Pods of other groups", async () => {
    const other = JSON.stringify({
      apiVersion: "example.linkinstars.com/v1",
      kind: "ExampleA",
      metadata: { name: "other" },
      spec: { groupName: "leisure" },
    });
    await bench.kubectl.apply(other);
    await becomes(false, "other");
    await bench.kubectl.run("create", "namespace", "elsewhere");
    // The service account of a new namespace is created a moment later.
    const there = ["run", "there", "--image=busybox", "-n", "elsewhere", "-l", "group=leisure"];
    await eventually(() => bench.kubectl.run(...there));
    await becomes(true, "other");
    await bench.kubectl.run("delete", "pod", "there", "-n", "elsewhere", "--grace-period=0", "--force");
    await becomes(false, "other");
    expect(await underControl()).toBe(true);
    await bench.kubectl.run("delete", "-f", busybox, "--grace-period=0", "--force");
    await becomes(false);
  });

  it("updates the status after a change of groupName", async () => {
    await bench.kubectl.run("apply", "-f", busybox);
    await becomes(true);
    await bench.kubectl.run("patch", crd, "my-opex", "--type=merge", "-p", '{"spec":{"groupName":"nobody"}}');
    await becomes(false);
    expect(bench.failures).toEqual([]);
  });

  it("is removed by make uninstall, a second time only with ignore-not-found", async () => {
    await bench.stopOperator();
    await bench.kubectl.run("delete", "-f", "config/samples/example_v1_examplea.yaml", "-f", busybox, "--force");
    await bench.make("uninstall");
    expect((await bench.kubectl.attempt("get", "crd", crd)).stderr).toContain("NotFound");
    expect((await bench.attemptMake("uninstall")).code).not.toBe(0);
    await bench.make("uninstall", { "ignore-not-found": "true", IGNORE_NOT_FOUND: "true" });
  });
});
