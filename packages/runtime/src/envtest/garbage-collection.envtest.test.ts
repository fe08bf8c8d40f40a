// The garbage collector of kube-controller-manager finds the custom resources with which an environment starts. It looks for
// others only every 30 s, and logs them then.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConfigMap } from "../api/core/v1.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import { isNotFound } from "../errors/predicates.ts";
import { eventually, Widget, widget, widgetCRD } from "../manager/widget.fixture.ts";
import { TestEnvironment } from "./index.ts";

/** Many definitions, whose installation takes longer than the start of the controllers. */
const others = Array.from({ length: 40 }, (_, index) => {
  const names = {
    plural: `things${index}`,
    singular: `thing${index}`,
    kind: `Thing${index}`,
    listKind: `Thing${index}List`,
  };
  const { spec } = widgetCRD as unknown as { spec: { group: string } };
  return { ...widgetCRD, metadata: { name: `${names.plural}.${spec.group}` }, spec: { ...spec, names } };
});

const environment = new TestEnvironment({
  crds: [...others, widgetCRD],
  crdInstallOptions: { maxTime: 120_000 },
  controllerManager: true,
  ...(process.env.KUBEWRIGHT_ENVTEST_ENGINE === "embedded" ? {} : { controllerManagerFlags: { v: "2" } }),
});
let client: Client;
beforeAll(async () => {
  client = createClient(await environment.start());
});
afterAll(() => environment.stop());

it("children of custom resources are deleted without a new discovery", async () => {
  const owner = await client.create(widget("owner", "red"));
  const { apiVersion, kind, metadata } = owner;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }];
  const key = { namespace: metadata.namespace ?? "", name: "child" };
  await client.create(ConfigMap, { metadata: { ...key, ownerReferences } });
  await client.delete(Widget, { ...key, name: metadata.name });
  await eventually(async () => {
    const error = await client.get(ConfigMap, key).catch((thrown: unknown) => thrown);
    if (!isNotFound(error)) throw new Error("the child still exists");
  });
  const log = join(dirname(environment.kubeconfigPath), "kube-controller-manager.log");
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  // The first one is that of the start.
  expect(text.match(/syncing garbage collector with updated resources/g) ?? []).toHaveLength(text === "" ? 0 : 1);
});
