// Follows the article about MyWebserver: watches, a kind with short names, and a Deployment and a Service per object.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definition } from "../lib/definitions.ts";
import { eventually } from "../lib/eventually.ts";
import { Background } from "../lib/process.ts";
import { printTable } from "../lib/table.ts";
import { Workbench } from "../lib/workbench.ts";

const bench = new Workbench("mywebserver");
const crdFile = "config/crd/bases/k8sobjects.gsa.com_mywebservers.yaml";
const sample = "config/samples/k8sobjects_v2_mywebserver.yaml";
const articleCrd = readFileSync(new URL("testdata/article-crd.yaml", import.meta.url), "utf8");
const collection = "/apis/k8sobjects.gsa.com/v2/namespaces/default/mywebservers";

const raw = async (path: string) => JSON.parse(await bench.kubectl.run("get", "--raw", path));
const server = (name: string, spec: object) =>
  JSON.stringify({ apiVersion: "k8sobjects.gsa.com/v2", kind: "MyWebserver", metadata: { name }, spec });

let watcher: Background | undefined;

/** Runs the example's watch, and waits until it is established. */
async function watch(...args: string[]): Promise<Background> {
  const env = { KUBECONFIG: bench.environment.kubeconfigPath };
  watcher = new Background("node", ["dist/watch.js", ...args], { cwd: bench.project, env });
  const running = watcher;
  await eventually(() => expect(running.output).toContain("watching mywebservers"));
  return running;
}

/** Returns the events of a watch. */
function events({ output }: Background): { type: string; name: string; version: number }[] {
  const lines = output.matchAll(/^----- EVENT TYPE: (\w+) ----- (\S+) (\d+)$/gm);
  return [...lines].map(([, type = "", name = "", version]) => ({ type, name, version: Number(version) }));
}

beforeAll(() => bench.open());
afterAll(async () => {
  await watcher?.end("SIGKILL");
  await bench.close();
});
printTable("Seed 004, MyWebserver");

describe("the MyWebserver operator", { sequential: true }, () => {
  it("is scaffolded with the article's group, version and kind", async () => {
    await bench.init("--domain", "gsa.com", "--repo", "github.com/gayatri-sa/k8s-operator");
    await bench.scaffold(
      "create",
      "api",
      "--group",
      "k8sobjects",
      "--version",
      "v2",
      "--kind",
      "MyWebserver",
      "--kstatus=false",
    );
    bench.copyExample("mywebserver");
    await bench.make("manifests");
    await bench.checkCode();
    await bench.make("build");
    const bundled = ["--bundle", "--packages=external", "--format=esm", "--outfile=dist/watch.js"];
    await bench.run(["npx", "--no-install", "esbuild", "src/watch.ts", ...bundled]);
  });

  it("has a CRD with the same names, scope and fields as in the article", () => {
    const [made, wanted] = [definition(bench.read(crdFile)), definition(articleCrd)];
    expect(made.metadata).toEqual(wanted.metadata);
    expect(made.spec).toMatchObject({ ...wanted.spec, versions: [{ name: "v2", served: true, storage: true }] });
    const fieldsOf = (crd: { spec: { versions: { schema: { openAPIV3Schema: object } }[] } }) => {
      const schema = crd.spec.versions[0]?.schema.openAPIV3Schema as never;
      const { properties } = (schema as { properties: { spec: { properties: Record<string, { type: string }> } } })
        .properties.spec;
      return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, type]));
    };
    expect(fieldsOf(made)).toEqual(fieldsOf(wanted));
  });

  it("adds a group and an endpoint to the API with make install", async () => {
    await bench.make("install");
    const { groups } = await raw("/apis/");
    expect(groups).toContainEqual(
      expect.objectContaining({
        name: "k8sobjects.gsa.com",
        preferredVersion: { groupVersion: "k8sobjects.gsa.com/v2", version: "v2" },
      }),
    );
    await eventually(async () => {
      const list = await raw("/apis/k8sobjects.gsa.com/v2/mywebservers");
      expect(list).toMatchObject({ kind: "MyWebserverList", items: [] });
    });
  });

  it("has short names for kubectl get and describe", async () => {
    await bench.kubectl.run("apply", "-f", sample);
    for (const name of ["mws", "myweb", "mywebserver", "mywebservers"]) {
      expect(await bench.kubectl.run("get", name)).toMatch(/^NAME +AGE\nwebapp +\S+\n$/);
    }
    const description = await bench.kubectl.run("describe", "mws", "webapp");
    expect(description).toMatch(/Spec:\n +Image: +nginx\n +Port: +80\n +Replicas: +2\n/);
  });

  it("has a watch that returns the list first, then each change with a newer resource version", async () => {
    const running = await watch();
    await eventually(() => expect(events(running)).toMatchObject([{ type: "ADDED", name: "webapp" }]));
    await bench.kubectl.apply(server("second", { image: "httpd" }));
    await bench.kubectl.apply(server("second", { image: "httpd", replicas: 3 }));
    await bench.kubectl.run("delete", "mws", "second");
    await eventually(() => {
      expect(events(running).slice(1)).toMatchObject([
        { type: "ADDED", name: "second" },
        { type: "MODIFIED", name: "second" },
        { type: "DELETED", name: "second" },
      ]);
    });
    const versions = events(running).map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(await running.end("SIGTERM")).toBe(0);
  });

  it("has a watch that returns only changes after a given resource version", async () => {
    const { metadata } = await raw(collection);
    await bench.kubectl.apply(server("third", { image: "httpd" }));
    const running = await watch("default", metadata.resourceVersion);
    await eventually(() => expect(events(running)).toMatchObject([{ type: "ADDED", name: "third" }]));
    await bench.kubectl.run("delete", "mws", "third");
    await eventually(() => expect(events(running)).toHaveLength(2));
    await running.end("SIGTERM");
  });

  it("has a watch that lists again if the given resource version is too old", async () => {
    const running = await watch("default", "1");
    await eventually(() => expect(events(running)).toMatchObject([{ type: "ADDED", name: "webapp" }]));
    expect(running.output).toContain("1 is too old, listing again");
    await running.end("SIGTERM");
  });

  it("runs with the permissions of its ServiceAccount after make deploy", async () => {
    await bench.make("deploy", { IMG: "gayatrisa/learn-k8s:client" });
    const KUBECONFIG = await bench.kubeconfigOf("mywebserver-system", "mywebserver-controller-manager");
    await bench.startOperator({ variables: { KUBECONFIG } });
  });

  it("creates a Deployment and a Service per MyWebserver", async () => {
    const deployment = await eventually(() => bench.kubectl.get("deployment", "webapp"));
    const [container] = deployment.spec.template.spec.containers;
    expect(container).toMatchObject({ image: "nginx", ports: [{ containerPort: 80 }] });
    expect(deployment.spec.replicas).toBe(2);
    const service = await eventually(() => bench.kubectl.get("service", "webapp"));
    expect(service.spec).toMatchObject({ selector: { app: "webapp" }, ports: [{ port: 80, targetPort: 80 }] });
    await eventually(async () => {
      expect((await bench.kubectl.get("deployment", "webapp")).status.readyReplicas).toBe(2);
    });
  });

  it("applies changes of image, port and replicas, and sets defaults", async () => {
    await bench.kubectl.run("patch", "mws", "webapp", "--type=merge", "-p", '{"spec":{"image":"httpd","port":8080}}');
    await eventually(async () => {
      const { spec } = await bench.kubectl.get("deployment", "webapp");
      expect(spec.template.spec.containers[0]).toMatchObject({ image: "httpd", ports: [{ containerPort: 8080 }] });
      expect((await bench.kubectl.get("service", "webapp")).spec.ports).toMatchObject([{ port: 8080 }]);
    });
    await bench.kubectl.apply(server("small", { image: "nginx" }));
    expect((await bench.kubectl.get("mws", "small")).spec).toEqual({ image: "nginx", port: 80, replicas: 1 });
    await eventually(() => bench.kubectl.get("service", "small"));
  });

  it("writes nothing if everything is in the desired state", async () => {
    const versionOf = async (resource: string) =>
      (await bench.kubectl.run("get", resource, "small", "-o", "jsonpath={.metadata.generation}")).trim();
    expect([await versionOf("mws"), await versionOf("deployment")]).toEqual(["1", "1"]);
  });

  it("leaves the Deployment and Service of a deleted MyWebserver to the garbage collector", async () => {
    await bench.kubectl.run("delete", "mws", "--all");
    await eventually(async () => {
      const left = await bench.kubectl.run("get", "deployment,service", "-o", "name");
      expect(left.trim()).toBe("service/kubernetes");
    });
    expect(bench.failures).toEqual([]);
    expect(bench.operator.output).not.toContain("forbidden");
    expect(await bench.stopOperator()).toBe(0);
  });
});
