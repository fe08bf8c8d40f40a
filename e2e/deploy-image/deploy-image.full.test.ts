// Tests the counterpart of kubebuilder's deploy-image plugin: an operator that runs an image, with conditions, events
// and a finalizer.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definition, withoutDescriptions } from "../lib/definitions.ts";
import { eventually } from "../lib/eventually.ts";
import { printTable } from "../lib/table.ts";
import { Workbench } from "../lib/workbench.ts";

const bench = new Workbench("memcached");
const group = "example.com.testproject.org";
const crd = `memcacheds.${group}`;
const image = "memcached:1.6.26-alpine3.19";
const sample = "config/samples/example.com_v1alpha1_memcached.yaml";
const name = "memcached-sample";
const variables: Record<string, string> = {};

const memcached = (name: string, spec: object, namespace = "default") =>
  JSON.stringify({ apiVersion: `${group}/v1alpha1`, kind: "Memcached", metadata: { name, namespace }, spec });
const change = (spec: object) => bench.kubectl.run("patch", crd, name, "--type=merge", "-p", JSON.stringify({ spec }));
const get = async (resource: string, name: string, namespace = "default") =>
  JSON.parse(await bench.kubectl.run("get", resource, name, "-n", namespace, "-o", "json"));
const condition = async (type: string, of = name, namespace = "default") => {
  const { status } = await get(crd, of, namespace);
  const condition = status?.conditions?.find((each: { type: string }) => each.type === type);
  return `${condition?.status} ${condition?.reason}: ${condition?.message}`;
};
const becomes = (type: string, text: string | RegExp, of?: string, namespace?: string) =>
  eventually(async () => expect(await condition(type, of, namespace)).toMatch(text));
/** Returns the events about an object, as `type reason`. */
const events = async (of: string) => {
  const { items } = JSON.parse(await bench.kubectl.run("get", "events.v1.events.k8s.io", "-A", "-o", "json"));
  type Event = { type: string; reason: string; reportingController: string; regarding: { kind: string; name: string } };
  const about = (items as Event[]).filter(({ regarding }) => regarding.kind === "Memcached" && regarding.name === of);
  for (const { reportingController } of about) expect(reportingController).toBe("memcached-controller");
  return about.map(({ type, reason }) => `${type} ${reason}`);
};
const container = async () => (await get("deployment", name)).spec.template.spec.containers[0];

beforeAll(() => bench.open());
afterAll(() => bench.close());
printTable("kubebuilder's deploy-image, Memcached");

describe("the Memcached operator of deploy-image", { sequential: true }, () => {
  it("has the same CRD schema as with the plugin", async () => {
    await bench.init("--domain", "testproject.org");
    await bench.scaffold(
      "create",
      "api",
      "--group",
      "example.com",
      "--version",
      "v1alpha1",
      "--kind",
      "Memcached",
      "--kstatus=false",
    );
    bench.copyExample("deploy-image");
    await bench.make("manifests");
    const { spec } = withoutDescriptions(definition(bench.read(`config/crd/bases/${group}_memcacheds.yaml`)));
    expect(spec).toMatchObject({ group, names: { kind: "Memcached", plural: "memcacheds" }, scope: "Namespaced" });
    const [version] = spec.versions;
    expect(version).toMatchObject({ name: "v1alpha1", served: true, storage: true, subresources: { status: {} } });
    const { required, properties } = version.schema.openAPIV3Schema;
    expect(required).toEqual(["spec"]);
    expect(properties.spec).toEqual({
      type: "object",
      properties: {
        containerPort: { type: "integer", format: "int32" },
        size: { type: "integer", format: "int32", minimum: 0, default: 1 },
      },
      required: ["containerPort"],
    });
    expect(Object.keys(properties.status.properties)).toEqual(["conditions"]);
    expect(properties.status.properties.conditions).toMatchObject({ "x-kubernetes-list-map-keys": ["type"] });
    await bench.checkCode();
  });

  it("has the image in the manager's environment after make deploy", async () => {
    const container = "        name: manager\n";
    bench.edit(
      "config/manager/manager.yaml",
      container,
      `${container}        env:\n        - name: MEMCACHED_IMAGE\n          value: ${image}\n`,
    );
    await bench.make("install");
    await bench.make("deploy", { IMG: "example.com/memcached-operator:v1" });
    const { spec } = await get("deployment", "memcached-controller-manager", "memcached-system");
    expect(spec.template.spec.containers[0].env).toContainEqual({ name: "MEMCACHED_IMAGE", value: image });
  });

  it("without that variable sets a condition, and creates nothing", async () => {
    variables.KUBECONFIG = await bench.kubeconfigOf("memcached-system", "memcached-controller-manager");
    await bench.make("build");
    await bench.startOperator({ variables });
    await bench.kubectl.run("apply", "-f", sample);
    await becomes("Available", /^False NoImage: MEMCACHED_IMAGE: the image to deploy/);
    expect(await bench.kubectl.run("get", "deployments", "-o", "name")).toBe("");
    variables.MEMCACHED_IMAGE = image;
    await bench.startOperator({ variables });
  });

  it("creates a Deployment of the image that the Memcached owns, and an event", async () => {
    const { metadata, spec } = await eventually(() => get("deployment", name));
    expect(metadata.ownerReferences).toMatchObject([{ kind: "Memcached", name, controller: true }]);
    expect(spec.replicas).toBe(1);
    expect(await container()).toMatchObject({ image, ports: [{ containerPort: 11211 }] });
    await eventually(async () => expect(await events(name)).toContain("Normal Created"));
  });

  it("sets the condition Available to True, and Degraded to False, when all instances are available", async () => {
    await becomes("Available", "True DeploymentReady: 1 of 1 instances are available");
    await becomes("Degraded", /^False AsExpected/);
    const { status, metadata } = await get(crd, name);
    for (const { observedGeneration } of status.conditions) expect(observedGeneration).toBe(metadata.generation);
  });

  it("applies changes of size and containerPort", async () => {
    await change({ size: 3, containerPort: 11212 });
    await becomes("Available", "True DeploymentReady: 3 of 3 instances are available");
    expect((await get("deployment", name)).spec.replicas).toBe(3);
    expect((await container()).ports).toMatchObject([{ containerPort: 11212 }]);
  });

  it("accepts size 0, sets the default size 1, and rejects size -1 and a missing port", async () => {
    await change({ size: 0 });
    await becomes("Available", "True DeploymentReady: 0 of 0 instances are available");
    const negative = await bench.kubectl.attemptApply(memcached("refused", { size: -1, containerPort: 1 }));
    expect(negative.stderr).toContain("spec.size in body should be greater than or equal to 0");
    const portless = await bench.kubectl.attemptApply(memcached("refused", {}));
    expect(portless.stderr).toContain("spec.containerPort: Required value");
    await bench.kubectl.apply(memcached("small", { containerPort: 11211 }));
    await becomes("Available", "True DeploymentReady: 1 of 1", "small");
    await change({ size: 2 });
  });

  it("reverts and reports changes by kubectl scale and kubectl set image", async () => {
    await becomes("Available", "True DeploymentReady: 2 of 2");
    await bench.kubectl.run("scale", "deployment", name, "--replicas=5");
    await eventually(async () => expect((await get("deployment", name)).spec.replicas).toBe(2));
    await bench.kubectl.run("set", "image", `deployment/${name}`, "memcached=other:1");
    await eventually(async () => expect((await container()).image).toBe(image));
    await eventually(async () => expect(await events(name)).toContain("Normal Updated"));
    await becomes("Available", "True DeploymentReady: 2 of 2");
  });

  it("creates separate Pods for two Memcacheds in a namespace", async () => {
    for (const [instance, count] of Object.entries({ [name]: 2, small: 1 })) {
      await eventually(async () => {
        const pods = await bench.kubectl.run(
          "get",
          "pods",
          "-l",
          `app.kubernetes.io/instance=${instance}`,
          "-o",
          "name",
        );
        expect(pods.trim().split("\n")).toHaveLength(count);
      });
    }
  });

  it("creates Pods that meet the restricted Pod Security Standard", async () => {
    await bench.kubectl.run("create", "namespace", "restricted");
    await bench.kubectl.run("label", "namespace", "restricted", "pod-security.kubernetes.io/enforce=restricted");
    await bench.kubectl.apply(memcached("safe", { containerPort: 11211 }, "restricted"));
    await becomes("Available", "True DeploymentReady: 1 of 1", "safe", "restricted");
  });

  it("sets the condition Degraded with the Deployment's reason if Pods can't be created", async () => {
    await bench.kubectl.run("create", "namespace", "full");
    await bench.kubectl.run("create", "quota", "none", "--hard=pods=0", "-n", "full");
    // The quota has no effect before its status is set.
    await eventually(async () => expect((await get("quota", "none", "full")).status?.hard?.pods).toBe("0"));
    await bench.kubectl.apply(memcached("stuck", { containerPort: 11211 }, "full"));
    await becomes("Degraded", /^True FailedCreate: .*exceeded quota/, "stuck", "full");
    expect(await condition("Available", "stuck", "full")).toMatch(/^False Deploying: 0 of 1/);
  });

  it("creates an event for a deletion, removes the finalizer, and leaves the Deployment to the garbage collector", async () => {
    expect((await get(crd, name)).metadata.finalizers).toEqual([`${group}/finalizer`]);
    await bench.kubectl.run("delete", crd, "--all", "--all-namespaces");
    await eventually(async () => expect(await events(name)).toContain("Warning Deleting"));
    await eventually(async () => {
      const left = await bench.kubectl.run("get", "deployments", "-A", "-o", "name");
      expect(left.trim()).toBe("deployment.apps/memcached-controller-manager");
    });
    expect(bench.operator.output).not.toContain("forbidden");
    expect(await bench.stopOperator()).toBe(0);
  });

  it("finalizes a Memcached that was deleted while the operator was down", async () => {
    await bench.kubectl.apply(memcached("waiting", { containerPort: 11211 }));
    await bench.startOperator({ variables });
    await becomes("Available", "True DeploymentReady", "waiting");
    await bench.stopOperator();
    await bench.kubectl.run("delete", crd, "waiting", "--wait=false");
    expect((await get(crd, "waiting")).metadata.deletionTimestamp).toBeTruthy();
    await bench.startOperator({ variables });
    await eventually(async () =>
      expect((await bench.kubectl.attempt("get", crd, "waiting")).stderr).toContain("NotFound"),
    );
    expect(await bench.stopOperator()).toBe(0);
  });

  it("is removed by make undeploy", async () => {
    await bench.make("undeploy");
    await eventually(async () => expect(await bench.kubectl.run("get", "crd", "-o", "name")).not.toContain(crd));
  });
});
