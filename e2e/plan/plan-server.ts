import { type Client, createClient, groupVersion } from "@kubewright/runtime";
import type { PlanResult, PlanSettings } from "@kubewright/runtime/dev";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect } from "vitest";
import { type OperatorCode, planProcess, widgetOperator } from "./plan-process.ts";
import { type Recorded, type RecordingProxy, recordingProxy } from "./recording-proxy.ts";
import { Widget, widget, widgetCRD } from "./widget.ts";

export const Deployment = groupVersion("apps", "v1").kind("Deployment");
export const Pod = groupVersion("", "v1").kind("Pod");
const containers = [{ name: "main", image: "nginx:1.29" }];
const configMaps = { apiVersion: "v1", kind: "ConfigMap" } as const;

/** An API server with objects, and an operator whose requests are recorded. */
export interface PlanServer {
  readonly client: Client;
  /** Plans an operator, and checks that nothing is written. */
  plan(body: string, options?: PlanOptions): Promise<PlanResult & { requests: Recorded[] }>;
}

type PlanOptions = OperatorCode & Partial<PlanSettings>;

/** Starts a server for the tests of a file. */
export function usePlanServer(): PlanServer {
  const environment = new TestEnvironment({ crds: [widgetCRD] });
  let client: Client;
  let proxy: RecordingProxy;

  beforeAll(async () => {
    const config = await environment.start();
    client = createClient(config);
    proxy = await recordingProxy(config);
    await client.create(widget("first", "red"));
    for (const name of ["stored", "held", "listed-1", "listed-2"]) {
      const finalizers = name === "held" ? { finalizers: ["example.com/held"] } : {};
      const labels = { set: name.startsWith("listed") ? "listed" : "none" };
      await client.create({
        ...configMaps,
        metadata: { namespace: "default", name, labels, ...finalizers },
        data: { a: "1" },
      } as never);
    }
    const labels = { app: "scaled" };
    await client.create({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace: "default", name: "scaled" },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    } as never);
    await client.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace: "default", name: "evicted" },
      spec: { containers },
    } as never);
    const password = Buffer.from("correct horse").toString("base64");
    await client.create({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: "default", name: "secret" },
      data: { password },
    } as never);
  });
  afterAll(async () => {
    await proxy.close();
    await environment.stop();
  });

  async function plan(body: string, options: PlanOptions = {}): ReturnType<PlanServer["plan"]> {
    const { more = "", builder = "", setup = "", options: ofManager = "", ...settings } = options;
    proxy.requests.length = 0;
    const before = await versions();
    const code = widgetOperator(body, { more, builder, setup, options: ofManager });
    const end = await planProcess(proxy.host, code, { crds: [widgetCRD], ...settings });
    expect(await versions()).toEqual(before);
    if (end.result === undefined) throw new Error(`no result (exit code ${end.exitCode}):\n${end.output}`);
    return { ...end.result, requests: [...proxy.requests] };
  }

  async function versions(): Promise<string[]> {
    const kinds = [Widget, ...["ConfigMap", "Secret"].map((kind) => groupVersion("", "v1").kind(kind))];
    const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace: "default" })));
    return lists.flatMap(({ items }) =>
      items.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`),
    );
  }

  return {
    get client() {
      return client;
    },
    plan,
  };
}

export const writesOf = (requests: readonly Recorded[]): Recorded[] =>
  requests.filter(({ method, url }) => method !== "GET" && !url.pathname.includes("reviews"));

export function expectDryRuns(requests: readonly Recorded[]): void {
  for (const { method, url, body } of writesOf(requests)) {
    if (method === "DELETE") expect(JSON.parse(body)).toMatchObject({ dryRun: ["All"] });
    else expect(url.searchParams.getAll("dryRun"), `${method} ${url.pathname}`).toEqual(["All"]);
    expect(body).not.toMatch(/"resourceVersion":"4\d{15}"/);
  }
}

export const labelsOf = (changes: PlanResult["changes"]) =>
  changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`);
