// Causes with webhooks, finalizers and resyncs, and several causes at once.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import { newWebhookManagedBy } from "../builder/webhook-builder.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import { createOrUpdate } from "../controllerutil/create-or-update.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import { ConfigMap, eventually, Widget, widgetCRD } from "../manager/widget.fixture.ts";
import type { Result } from "../reconcile/reconciler.ts";
import type { Request } from "../reconcile/request.ts";
import type { ReconcileRecord } from "../session/records.ts";
import type { Inspector } from "./inspector.ts";

const path = "/mutate-test-kubewright-dev-v1-widget";
const environment = new TestEnvironment({
  crds: [widgetCRD],
  webhookInstallOptions: {
    mutatingWebhooks: [
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "MutatingWebhookConfiguration",
        metadata: { name: "widgets" },
        webhooks: [
          {
            name: "mwidget.kb.io",
            admissionReviewVersions: ["v1"],
            sideEffects: "None",
            clientConfig: { service: { name: "webhook-service", namespace: "system", path } },
            rules: [
              {
                apiGroups: ["test.kubewright.dev"],
                apiVersions: ["v1"],
                operations: ["CREATE", "UPDATE"],
                resources: ["widgets"],
              },
            ],
          },
        ],
      } as KubernetesObject,
    ],
  },
});
const namespace = "default";
const finalizer = "test.kubewright.dev/color";
let mgr: Manager;
/** A client whose writes reach the caches of the manager only as events. */
let otherClient: Client;
let inspector: Inspector;
const stop = new AbortController();
let done: Promise<void>;
/** The reconcile function of each test, by the name of its Widget. */
const steps = new Map<string, (request: Request) => Promise<Result | undefined>>();

beforeAll(async () => {
  const config = await environment.start();
  const {
    localServingHost: host,
    localServingPort: port,
    localServingCertDir: certDir,
  } = environment.webhookInstallOptions;
  mgr = await Manager.create(config, {
    webhook: { host, port, certDir },
    metrics: { bindAddress: "0" },
    logger: silentLogger,
    inspect: true,
    cache: { byObject: [{ object: ConfigMap, syncPeriod: 300 }] },
  });
  await newControllerManagedBy(mgr)
    .for(Widget)
    .owns(ConfigMap)
    .complete({ reconcile: async (_ctx, request) => (await steps.get(request.name)?.(request)) ?? {} });
  await newWebhookManagedBy(mgr, Widget)
    .withDefaulter({
      async default(_ctx, widget) {
        widget.spec.color = widget.spec.color.toLowerCase();
      },
    })
    .complete();
  inspector = mgr.inspector!;
  otherClient = createClient(config);
  done = mgr.start(stop.signal);
  done.catch(() => {});
  await mgr.cache.waitForSync(stop.signal);
  await mgr.webhookServer.ready();
  await eventually(async () => {
    const dry = await mgr.client.create(Widget, widget("warm-up", "RED"), { dryRun: true });
    expect(dry.spec.color).toBe("red");
  });
});

afterAll(async () => {
  stop.abort();
  await done;
  await environment.stop();
});

const widget = (name: string, color: string) => ({ metadata: { namespace, name }, spec: { color } });
const of = (name: string): ReconcileRecord[] => inspector.reconciles({ kind: "Widget", namespace, name, limit: 50 });
const reasonsOf = (name: string) => of(name).flatMap(({ reasons }) => reasons);

async function writeConfigMap({ name }: Request): Promise<Result> {
  const widget = await mgr.client.get(Widget, { namespace, name });
  const map = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name },
    data: {} as Record<string, string>,
  };
  await createOrUpdate(mgr.client, map, () => {
    map.data = { color: widget.spec.color };
    setControllerReference(widget, map);
  });
  return {};
}

describe("the record of a reconcile", () => {
  it("contains a resync without changes", async () => {
    steps.set("resynced", writeConfigMap);
    await mgr.client.create(Widget, widget("resynced", "red"));
    await eventually(() =>
      expect(of("resynced")).toContainEqual(
        expect.objectContaining({
          reasons: [
            expect.objectContaining({ type: "resync", kind: "ConfigMap", namespace, name: "resynced", via: "owns" }),
          ],
          writes: [],
        }),
      ),
    );
    const resync = reasonsOf("resynced").find(({ type }) => type === "resync");
    // A resync has no changed fields.
    expect(Object.keys(resync ?? {})).not.toContain("changed");
    expect(Object.keys(resync ?? {})).not.toContain("by");
  });

  it("contains the ignored part of a write: status in an update, or spec in a status update", async () => {
    steps.set("ignored", async ({ name }) => {
      const stored = await mgr.client.get(Widget, { namespace, name });
      const unknown = { phase: undefined };
      const updated = await mgr.client.update({ ...stored, status: { color: "blue" } });
      await mgr.client.update({ ...updated, spec: { ...updated.spec, ...unknown } });
      await mgr.client.status.update({ ...updated, spec: { color: "blue" } });
      return {};
    });
    await mgr.client.create(Widget, widget("ignored", "red"));
    await eventually(() => expect(of("ignored")).toHaveLength(1));
    expect(of("ignored")[0]?.writes.map(({ diff, ignored }) => [diff, ignored])).toEqual([
      ["", ["status"]],
      ["", undefined],
      ["", ["spec"]],
    ]);
    // Kinds of other groups can have the same name.
    const { apiVersion } = Widget;
    const [reasons, reads] = [[{ apiVersion }], [{ apiVersion }]];
    const record = { object: { apiVersion }, reasons, reads, writes: Array(3).fill({ apiVersion }) };
    expect(of("ignored")[0]).toMatchObject(record);
  });

  it("contains the stored object after a webhook's patch, and the admission record contains the patch", async () => {
    let calls = 0;
    steps.set("patched", async ({ name }) => {
      const stored = await mgr.client.get(Widget, { namespace, name });
      if (++calls === 1) await mgr.client.update({ ...stored, spec: { color: "GREEN" } });
      return {};
    });
    await mgr.client.create(Widget, widget("patched", "RED"));
    await eventually(() => expect(of("patched").length).toBeGreaterThanOrEqual(2));
    const [first] = of("patched").toReversed();
    expect(first?.writes[0]).toMatchObject({ verb: "update", kind: "Widget", name: "patched", error: null });
    expect(first?.writes[0]?.diff).toMatch(/^- {2}color: red\n\+ {2}color: green$/m);
    expect(of("patched")[0]?.reasons).toMatchObject([
      { type: "update", kind: "Widget", via: "for", changed: ["spec.color"], reconcile: first?.id },
    ]);
    const requests = inspector.admissions({ kind: "Widget", namespace, name: "patched", limit: 10 });
    expect(requests[0]).toMatchObject({ type: "mutating", operation: "UPDATE", path, allowed: true });
    expect(requests[0]?.object.apiVersion).toBe(Widget.apiVersion);
    expect(requests[0]?.patch).toMatch(/^- {2}color: GREEN\n\+ {2}color: green$/m);
  });

  it("contains a deletion that waits for a finalizer, and the end of the deletion", async () => {
    steps.set("finalized", async (request) => {
      const stored = await mgr.client.get(Widget, request);
      const { finalizers = [], deletionTimestamp } = stored.metadata;
      if (deletionTimestamp) await mgr.client.update({ ...stored, metadata: { ...stored.metadata, finalizers: [] } });
      else if (!finalizers.includes(finalizer)) {
        await mgr.client.update({ ...stored, metadata: { ...stored.metadata, finalizers: [finalizer] } });
      }
      return {};
    });
    await mgr.client.create(Widget, widget("finalized", "red"));
    await eventually(() => expect(of("finalized").length).toBeGreaterThanOrEqual(2));
    await mgr.client.delete(Widget, { namespace, name: "finalized" });
    await eventually(() => expect(reasonsOf("finalized")).toContainEqual(expect.objectContaining({ type: "delete" })));
    const asked = of("finalized").find(({ reasons }) =>
      reasons.some(({ changed = [] }) => changed.includes("metadata.deletionTimestamp")),
    );
    expect(asked?.writes[0]?.diff).toMatch(/^- {2}(?:finalizers:|- test\.kubewright\.dev\/color)$/m);
  });

  it("contains all causes that occurred during the previous reconcile", async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let calls = 0;
    steps.set("busy", async (request) => {
      const result = await writeConfigMap(request);
      if (++calls === 1) await held;
      return result;
    });
    const created = await otherClient.create(Widget, widget("busy", "red"));
    await eventually(async () => expect(await otherClient.get(ConfigMap, { namespace, name: "busy" })).toBeDefined());
    await otherClient.update({ ...created, spec: { color: "blue" } }, { fieldOwner: "a-person" });
    await otherClient.delete(ConfigMap, { namespace, name: "busy" });
    const { cache } = mgr;
    await eventually(async () => {
      await expect(cache.get(ConfigMap, { namespace, name: "busy" })).rejects.toThrow("not found");
      expect((await cache.get(Widget, { namespace, name: "busy" })).spec.color).toBe("blue");
    });
    release();
    await eventually(() => expect(of("busy").length).toBeGreaterThanOrEqual(2));
    const second = of("busy").toReversed()[1];
    expect(second?.reasons).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "update", kind: "Widget", by: "a-person", changed: ["spec.color"] }),
        expect.objectContaining({ type: "delete", kind: "ConfigMap", via: "owns" }),
      ]),
    );
  });
});
