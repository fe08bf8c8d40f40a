// `scaffold dev --cluster` in place of a deployed operator with conversion and webhooks: requests are served during restarts, and the
// deployed operator's configurations return at the end, also after kill -9.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, type Transport } from "@kubewright/runtime";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { scaffold } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { create, get, label, strategies } from "./converted-objects.ts";
import { convertedProject, definitionName } from "./converted-project.ts";
import { Dev } from "./dev-session.ts";

interface Configured {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  webhooks: { clientConfig: { url?: string; service?: object } }[];
}
interface Definition {
  metadata: { name: string };
  spec: { conversion?: { strategy: string; webhook?: { clientConfig: { url?: string; service?: object } } } };
}

const admission = "/apis/admissionregistration.k8s.io/v1";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const paths = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"].map((one) => `${admission}/${one}`);
const service = { name: "webhook-service", namespace: "system", path: "/convert", port: 443 };
const controller = "src/controller/widget-controller.ts";

let environment: TestEnvironment;
let transport: Transport;
let root: string;
let kubeconfig: string;
let dev: Dev;

const documents = <T>(path: string) =>
  parseAllDocuments(readFileSync(join(root, path), "utf8")).map((one) => one.toJS() as T);
const body = async <T>(path: string) => (await transport.request({ method: "GET", path })).body as T;
const start = () => new Dev(root, { KUBECONFIG: kubeconfig }, "--cluster", "--no-samples");

/** Returns which client the cluster calls for each kind of request. */
async function targets(): Promise<("service" | "url")[]> {
  const { spec } = await body<Definition>(`${definitions}/${definitionName}`);
  const lists = await Promise.all(paths.map((path) => body<{ items: Configured[] }>(path)));
  const clients = lists.flatMap(({ items }) =>
    items.flatMap(({ webhooks }) => webhooks.map((webhook) => webhook.clientConfig)),
  );
  return [spec.conversion?.webhook?.clientConfig ?? {}, ...clients].map(({ url }) =>
    url === undefined ? "service" : "url",
  );
}
const all = (target: "service" | "url") => [target, target, target];

beforeAll(async () => {
  root = await convertedProject();
  await scaffold(root, "manifests");
  const crds = readdirSync(join(root, "config/crd/bases")).flatMap((name) =>
    documents<Definition>(`config/crd/bases/${name}`).map((document) => ({
      ...document,
      spec: {
        ...document.spec,
        conversion: { strategy: "Webhook", webhook: { clientConfig: { service }, conversionReviewVersions: ["v1"] } },
      },
    })),
  );
  environment = new TestEnvironment({ crds: crds as never, engine: "embedded" });
  const config = await environment.start();
  kubeconfig = join(root, "cluster.kubeconfig");
  writeFileSync(kubeconfig, environment.kubeconfig, { mode: 0o600 });
  transport = createTransport(config);
  for (const configuration of documents<Configured>("config/webhook/manifests.yaml")) {
    const path = `${admission}/${configuration.kind.toLowerCase()}s`;
    // As config/default deploys it.
    const metadata = { ...configuration.metadata, name: `shop-${configuration.metadata.name}` };
    await transport.request({ method: "POST", path, body: { ...configuration, metadata } });
  }
  expect(await targets()).toEqual(all("service"));
});
afterEach(async () => {
  if (dev?.child.exitCode === null && dev.child.signalCode === null) dev.child.kill("SIGKILL");
  await dev?.ended;
});
afterAll(async () => {
  await transport?.close();
  await dev?.remove();
  await environment?.stop();
});

it("serves conversion during restarts, and returns the configurations of the deployed operator at the end", async () => {
  dev = start();
  await dev.event("ready");
  expect(await targets()).toEqual(all("url"));
  const watch = await strategies(transport);
  const spec = { size: 1, nickname: "first", stamp: "defaulted" };
  expect((await create(transport, "v1", "a", { size: 1, nickname: "first" })).spec).toEqual(spec);
  for (const restart of ["save", "kill -9"]) {
    let { length } = dev.lines;
    if (restart === "save") length = dev.edit(controller, "export class", 'process.env.CHANGED = "1";\nexport class');
    else {
      const { manager } = await dev.ask<{ manager: { pid: number } }>("status");
      process.kill(manager.pid, "SIGKILL");
      await dev.event("error", ({ phase }) => phase === "manager", length);
      dev.edit(controller, 'process.env.CHANGED = "1";\n', "");
    }
    for (let count = 0; count < 10; count++) await label(transport, "a", `${restart.replace(" ", "")}-${count}`);
    await dev.event("started", undefined, length);
    await label(transport, "a", "done");
    expect((await get(transport, "v1", "a")).spec, restart).toEqual(spec);
    expect((await get(transport, "v2", "a")).spec.displayName, restart).toBe("first");
  }
  expect(watch.seen.length).toBeGreaterThan(0);
  expect(new Set(watch.seen)).toEqual(new Set(["Webhook"]));
  dev.child.kill("SIGTERM");
  expect(await dev.ended).toBe(0);
  expect(await targets()).toEqual(all("service"));
  expect(new Set(watch.seen)).toEqual(new Set(["Webhook"]));
  await watch.close();
});

it("returns them after kill -9 of the session, and takes them over in the next one", async () => {
  dev = start();
  await dev.event("ready");
  expect(await targets()).toEqual(all("url"));
  dev.child.kill("SIGKILL");
  await dev.ended;
  await eventually(async () => expect(await targets()).toEqual(all("service")), 120_000);
  dev = start();
  await dev.event("ready");
  expect(await targets()).toEqual(all("url"));
  await label(transport, "a", "next");
  expect((await get(transport, "v1", "a")).spec).toEqual({ size: 1, nickname: "first", stamp: "defaulted" });
  dev.child.kill("SIGTERM");
  expect(await dev.ended).toBe(0);
  expect(await targets()).toEqual(all("service"));
});

it("returns them at the start of the next session if session and manager were killed", async () => {
  dev = start();
  await dev.event("ready");
  const { manager } = await dev.ask<{ manager: { pid: number } }>("status");
  process.kill(manager.pid, "SIGKILL");
  dev.child.kill("SIGKILL");
  await dev.ended;
  expect(await targets()).toEqual(all("url"));
  dev = start();
  await dev.event("ready");
  expect(await targets()).toEqual(all("url"));
  await label(transport, "a", "last");
  dev.child.kill("SIGTERM");
  expect(await dev.ended).toBe(0);
  expect(await targets()).toEqual(all("service"));
});
