// Follows the article about VirtulMachine: fields, status, finalizer, retries, webhooks.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { eventually } from "../lib/eventually.ts";
import { printTable } from "../lib/table.ts";
import { Workbench } from "../lib/workbench.ts";
import { FakeHypervisor } from "./hypervisor.ts";

const bench = new Workbench("sealvm");
const hypervisor = new FakeHypervisor();
const variables: Record<string, string> = {};
const crd = "virtulmachines.infra.sealyun.com";
const types = "api/v1/virtulmachine-types.ts";
const sample = "config/samples/infra_v1_virtulmachine.yaml";
const finalizer = "virtulmachine.infra.sealyun.com";

const machine = (name: string, spec: object) =>
  JSON.stringify({ apiVersion: "infra.sealyun.com/v1", kind: "VirtulMachine", metadata: { name }, spec });
const copyController = () => bench.copyExample("virtulmachine", "api", "config", "src/controller", "src/hypervisor");
const get = (name = "virtulmachine-sample") => bench.kubectl.get(crd, name);
const runs = (name: string) => eventually(async () => expect((await get(name)).status).toEqual({ status: "Running" }));
/** Waits until a machine runs, and then sets its lifetime to end in two seconds, so that it can't end before. */
async function createShortLived(name: string): Promise<void> {
  await bench.kubectl.apply(machine(name, { cpu: "1", memory: "1G" }));
  await runs(name);
  const made = Date.parse((await get(name)).metadata.creationTimestamp);
  const lifetimeSeconds = Math.ceil((Date.now() - made) / 1000) + 2;
  await bench.kubectl.apply(machine(name, { cpu: "1", memory: "1G", lifetimeSeconds }));
}
const gone = (resource: string, name: string) =>
  eventually(async () => expect((await bench.kubectl.attempt("get", resource, name)).stderr).toContain("NotFound"));

beforeAll(async () => {
  variables.HYPERVISOR_URL = await hypervisor.start();
  await bench.open();
});
afterAll(async () => {
  await bench.close();
  hypervisor.stop();
});
printTable("VirtulMachine");

describe("the VirtulMachine operator", { sequential: true }, () => {
  it("is scaffolded with the article's flags", async () => {
    await bench.init("--domain", "sealyun.com", "--license", "apache2", "--owner", "fanux");
    await bench.scaffold(
      "create",
      "api",
      "--group",
      "infra",
      "--version",
      "v1",
      "--kind",
      "VirtulMachine",
      "--kstatus=false",
    );
    expect(bench.read(types)).toMatch(/^\/\*\nCopyright \d+ fanux\.\n\nLicensed under the Apache License/);
  });

  it("watches the installed CRD after make install and make run", async () => {
    await bench.make("install");
    expect(await bench.kubectl.run("get", "crd", "-o", "name")).toContain(crd);
    await bench.startOperator({ by: "make run" });
    expect(bench.operator.output).toContain("Starting EventSource");
  });

  it("only stores the field foo of the sample", async () => {
    bench.edit(sample, "spec: {}", "spec:\n  foo: bar");
    await bench.kubectl.run("apply", "-f", sample);
    expect(await bench.kubectl.run("get", crd)).toMatch(/^NAME +AGE\nvirtulmachine-sample +\S+\n$/);
    expect((await get()).spec).toEqual({ foo: "bar" });
    expect(bench.failures).toEqual([]);
    await bench.stopOperator();
  });

  it("has a Deployment and a metrics Service as in the article after make deploy", async () => {
    await bench.make("deploy", { IMG: "fanux/infra-controller" });
    const inSystem = (resource: string, name: string) =>
      bench.kubectl.run("get", resource, name, "-n", "sealvm-system", "-o", "json").then(JSON.parse);
    const deployment = await inSystem("deployment", "sealvm-controller-manager");
    expect(deployment.spec.template.spec.containers[0].image).toBe("fanux/infra-controller");
    const service = await inSystem("service", "sealvm-controller-manager-metrics-service");
    expect(service.spec.ports[0].port).toBe(8443);
  });

  it("has the article's fields cpu and memory in kustomize's CRD", async () => {
    bench.edit(
      types,
      "  /** foo is an example field of VirtulMachine. Replace it with your own fields */\n  foo?: string;",
      "  cpu: string;\n  memory: string;",
    );
    await bench.make("all");
    const rendered = await bench.kubectl.run("kustomize", "config/default");
    const document = rendered.split(/^---$/m).find((text) => text.includes("kind: CustomResourceDefinition"));
    const [version] = parse(document ?? "").spec.versions;
    expect(version.schema.openAPIV3Schema.properties.spec).toEqual({
      description: "spec defines the desired state of VirtulMachine",
      properties: { cpu: { type: "string" }, memory: { type: "string" } },
      required: ["cpu", "memory"],
      type: "object",
    });
    await bench.make("install");
    bench.write(sample, bench.read(sample).replace("  foo: bar", '  cpu: "1"\n  memory: "2G"'));
    await eventually(() => bench.kubectl.run("apply", "-f", sample));
    expect(await get()).toMatchObject({ spec: { cpu: "1", memory: "2G" }, metadata: { generation: 2 } });
    const without = await bench.kubectl.attemptApply(machine("without", { cpu: "1" }));
    expect(without.stderr).toContain("spec.memory: Required value");
  });

  it("prints the missing marker for the article's mistake, a status without its subresource", async () => {
    copyController();
    bench.edit(types, "// +kubebuilder:subresource:status\n", "");
    await bench.make("install");
    await bench.startOperator({ by: "make run", variables });
    await bench.logged(
      "VirtulMachine has no status subresource (to add it to your own kind, write +kubebuilder:subresource:status",
    );
    await bench.stopOperator();
    copyController();
  });

  it("passes all checks with the example's code", async () => {
    await bench.make("install");
    await bench.checkCode();
    await bench.make("build");
    await bench.make("deploy", { IMG: "fanux/infra-controller" });
  });

  it("logs cpu and memory of an applied machine (Get)", async () => {
    await bench.startOperator({ variables });
    await bench.kubectl.run("apply", "-f", sample);
    await bench.logged('"cpu":"1","memory":"2G"');
  });

  it("sets the status to Create, then Running, which kubectl get prints (Status().Update)", async () => {
    await runs("virtulmachine-sample");
    const { metadata, spec } = await get();
    expect(hypervisor.machines.get(metadata.uid)).toEqual(spec);
    // A change of only the status doesn't increment the generation.
    expect(metadata.generation).toBe(2);
    expect(await bench.kubectl.run("get", crd)).toMatch(/virtulmachine-sample +Running +/);
  });

  it("adds the finalizer before it creates anything (Update)", async () => {
    expect((await get()).metadata.finalizers).toEqual([finalizer]);
  });

  it("creates a ConfigMap with the console, and reverts changes of it (Create, Patch)", async () => {
    const { metadata } = await get();
    const configMap = await bench.kubectl.get("configmap", "virtulmachine-sample");
    expect(configMap.data).toEqual({ console: `vnc://hypervisor/${metadata.uid}` });
    const patch = JSON.stringify({ data: { console: "elsewhere", note: "mine" } });
    await bench.kubectl.run("patch", "configmap", "virtulmachine-sample", "--type=merge", "-p", patch);
    await eventually(async () => {
      const { data } = await bench.kubectl.get("configmap", "virtulmachine-sample");
      expect(data).toEqual({ console: `vnc://hypervisor/${metadata.uid}`, note: "mine" });
    });
  });

  it("retries a machine until its dependency runs", async () => {
    hypervisor.broken = true;
    await bench.kubectl.apply(machine("first", { cpu: "1", memory: "1G", dependsOn: "second" }));
    await bench.logged("the machine depends on second, which isn't running yet");
    await bench.kubectl.apply(machine("second", { cpu: "1", memory: "1G" }));
    await bench.logged("returned 503");
    expect((await get("second")).status).toEqual({ status: "Create" });
    hypervisor.broken = false;
    await runs("second");
    await runs("first");
  });

  it("keeps a deleted machine while others depend on it (List by an index)", async () => {
    await bench.kubectl.run("delete", crd, "second", "--wait=false");
    await bench.logged("other machines still depend on it");
    expect((await get("second")).metadata.deletionTimestamp).toBeTruthy();
    await bench.kubectl.run("delete", crd, "first");
    await gone(crd, "second");
  });

  it("retries the removal from the hypervisor before it removes the finalizer", async () => {
    const { metadata } = await get();
    hypervisor.broken = true;
    await bench.kubectl.run("delete", crd, "virtulmachine-sample", "--wait=false");
    const before = hypervisor.calls.filter((call) => call === "DELETE").length;
    await eventually(() => {
      expect(hypervisor.calls.filter((call) => call === "DELETE").length).toBeGreaterThan(before + 1);
    });
    expect((await get()).metadata.finalizers).toEqual([finalizer]);
    hypervisor.broken = false;
    await gone(crd, "virtulmachine-sample");
    expect(hypervisor.machines.has(metadata.uid)).toBe(false);
  });

  it("deletes the ConfigMaps of a machine (DeleteAllOf)", async () => {
    await gone("configmap", "virtulmachine-sample");
    expect(await bench.kubectl.run("get", "configmaps", "-l", "infra.sealyun.com/machine", "-o", "name")).toBe("");
  });

  it("deletes a machine at the end of its lifetime (Delete)", async () => {
    await createShortLived("short");
    await gone(crd, "short");
    expect(hypervisor.machines.size).toBe(0);
    expect(await bench.stopOperator()).toBe(0);
  });

  it("passes all checks with scaffolded webhooks", async () => {
    const names = ["--group", "infra", "--version", "v1", "--kind", "VirtulMachine"];
    await bench.scaffold("create", "webhook", ...names, "--defaulting", "--programmatic-validation");
    bench.copyExample("virtulmachine", "src/webhook");
    await bench.make("manifests");
    await bench.checkCode();
    await bench.make("build");
    const rendered = await bench.kubectl.run("kustomize", "config/default");
    expect(rendered.match(/^kind: (Mutating|Validating)WebhookConfiguration$/gm)).toHaveLength(2);
  });

  it("sets a default size in the defaulter", async () => {
    await bench.serveWebhooksHere();
    await bench.startOperator({ variables });
    await eventually(() => bench.kubectl.apply(machine("default", {})));
    expect((await get("default")).spec).toEqual({ cpu: "1", memory: "2G" });
    await runs("default");
  });

  it.each([
    ["an invalid size", { cpu: "0" }, 'spec.cpu: "0" must be a number of processors'],
    ["invalid memory", { memory: "much" }, 'spec.memory: "much" must be an amount of memory'],
    ["a machine that depends on itself", { dependsOn: "refused" }, "a machine can't depend on itself"],
  ])("rejects %s in the validator", async (_, spec, message) => {
    const { code, stderr } = await bench.kubectl.attemptApply(machine("refused", spec));
    expect(code).toBe(1);
    expect(stderr).toContain('admission webhook "vvirtulmachine-v1.kb.io" denied the request');
    expect(stderr).toContain(message);
  });

  it("warns about many processors, and rejects smaller memory in the validator", async () => {
    const big = await bench.kubectl.attemptApply(machine("big", { cpu: "65", memory: "4G" }));
    expect(big).toMatchObject({ code: 0, stderr: expect.stringContaining("Warning: spec.cpu: few hypervisors") });
    const smaller = await bench.kubectl.attemptApply(machine("big", { cpu: "65", memory: "3G" }));
    expect(smaller.stderr).toContain("memory can't shrink below 4G");
  });

  it("runs with only the permissions of the deployed ServiceAccount", async () => {
    const KUBECONFIG = await bench.kubeconfigOf("sealvm-system", "sealvm-controller-manager");
    await bench.startOperator({ variables: { ...variables, KUBECONFIG } });
    await createShortLived("rights");
    await gone(crd, "rights");
    await bench.kubectl.run("delete", crd, "--all");
    expect(bench.operator.output).not.toContain("forbidden");
    expect(hypervisor.machines.size).toBe(0);
    expect(await bench.stopOperator()).toBe(0);
  });

  it("is removed by make uninstall", async () => {
    await bench.make("uninstall");
    await gone("crd", crd);
  });
});
