// The rules of `scaffold plan` with an operator in a process of its own. All of its requests pass a recording proxy.
import { describe, expect, it } from "vitest";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { variants } from "../../scripts/test-support/thorough.ts";
import { expectDryRuns, labelsOf, usePlanServer, writesOf } from "./plan-server.ts";
import { Widget, widget } from "./widget.ts";

const server = usePlanServer();
const { plan } = server;

describe("each write is a dry run", () => {
  it("for every verb, subresource and content type", async () => {
    const { requests, changes, failed } = await plan(
      `
      if (count > 1) return;
      const { mergeFrom } = runtime;
      await client.create(configMap("created", { a: "1" }));
      const stored = await apiReader.get(ConfigMap, { namespace: "default", name: "stored" });
      await client.update({ ...stored, data: { a: "2" } });
      const object = await client.get(Widget, key);
      await client.patch({ ...object, spec: { ...object.spec, color: "blue" } }, mergeFrom(object));
      await client.status.patch({ ...object, status: { color: "Ready" } }, mergeFrom(object));
      await client.status.update({ ...(await apiReader.get(Widget, key)), status: { color: "Done" } });
      await client.apply(configMap("applied", { a: "1" }), { fieldOwner: "test", force: true });
      await client.apply(configMap("applied", { a: "2" }), { fieldOwner: "test", force: true });
      await client.delete(ConfigMap, { namespace: "default", name: "held" });
      await client.deleteAllOf(ConfigMap, { namespace: "default", labels: { set: "listed" } });
      `,
    );
    expect(failed).toEqual([]);
    expectDryRuns(requests);
    const kinds = new Set(
      writesOf(requests).map(({ method, headers }) => `${method} ${headers["content-type"] ?? ""}`),
    );
    expect([...kinds].sort()).toEqual([
      "DELETE application/json",
      "PATCH application/apply-patch+yaml",
      "PATCH application/merge-patch+json",
      "POST application/json",
      "PUT application/json",
    ]);
    expect(labelsOf(changes)).toEqual([
      "create ConfigMap applied",
      "create ConfigMap created",
      "delete ConfigMap held",
      "delete ConfigMap listed-1",
      "delete ConfigMap listed-2",
      "update ConfigMap stored",
      "update Widget first",
    ]);
  });

  fullTest("with --writes local, no write is sent, and the changes are the same", async () => {
    const body = `
      await client.create(configMap("created", { a: "1" }));
      const stored = await apiReader.get(ConfigMap, { namespace: "default", name: "stored" });
      await client.update({ ...stored, data: { a: "2" } });
      await client.status.update({ ...(await client.get(Widget, key)), status: { color: "Done" } });
      await client.delete(ConfigMap, { namespace: "default", name: "listed-1" });
    `;
    const local = await plan(body, { writes: "local" });
    expect(writesOf(local.requests)).toEqual([]);
    const server = await plan(body);
    const shown = ({ changes }: typeof server) =>
      changes.map(({ kind, name, action, fields }) => [
        kind,
        name,
        action,
        fields.map(({ path, after }) => [path, after]),
      ]);
    expect(shown(local)).toEqual(shown(server));
  });

  fullTest("events aren't sent, and reviews are sent as they are", async () => {
    const { requests, changes, failed } = await plan(`
      mgr.recorder("test").event(await client.get(Widget, key), "Normal", "Tested", "text");
      const transport = runtime.createTransport({ host: process.env.PLAN_HOST });
      const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
      const spec = { resourceAttributes: { verb: "get", resource: "pods" } };
      const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec };
      await transport.request({ method: "POST", path, body });
    `);
    expect([failed, changes]).toEqual([[], []]);
    expect(writesOf(requests).filter(({ url }) => url.pathname.includes("/events"))).toEqual([]);
    const reviews = requests.filter(({ url }) => url.pathname.includes("accessreviews"));
    expect(reviews.map(({ url, status }) => [url.search.includes("dryR"), status])).toEqual([[false, 201]]);
  });

  fullTest("a denied or invalid write rejects in the reconciler, and is listed", async () => {
    const { failed, changes } = await plan(`
      try {
        await client.create(configMap("NOT_VALID", {}));
      } catch (error) {
        await client.create(configMap("caught-" + error.code, {}));
      }
    `);
    expect(labelsOf(changes)).toEqual(["create ConfigMap caught-422"]);
    expect(failed).toMatchObject([{ phase: "write", controller: "widget", status: 422, object: { name: "first" } }]);
  });

  it.each(
    variants(
      [
        [
          "exec",
          `client.subResource("exec").create({ apiVersion: "v1", kind: "Pod", metadata: { namespace, name } }, {})`,
        ],
        [
          "token",
          `client.subResource("token").create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace, name: "default" } }, {})`,
        ],
      ],
      1,
    ),
  )("%s is refused", async (subresource, call) => {
    const { failed, requests } = await plan(`await ${call};`);
    expect(failed).toMatchObject([{ phase: "write", message: expect.stringContaining(`/${subresource} refused`) }]);
    expect(writesOf(requests)).toEqual([]);
  });
});

describe("planned writes are seen", () => {
  it("by reads, lists with selectors, and the API reader", async () => {
    const { changes } = await plan(`
      await client.create(configMap("created", { a: "1" }, { labels: { set: "new" } }));
      await client.delete(ConfigMap, { namespace: "default", name: "listed-1" });
      const names = async (options) => (await apiReader.list(ConfigMap, { namespace: "default", ...options })).items.map((one) => one.metadata.name).sort().join("-");
      const read = await apiReader.get(ConfigMap, { namespace: "default", name: "created" });
      const gone = await apiReader.get(ConfigMap, { namespace: "default", name: "listed-1" }).catch((error) => error.reason.toLowerCase());
      const result = [read.data.a, gone, await names({ labels: { set: "new" } }), await names({ labels: { set: "listed" } }),
        await names({ fields: { "metadata.name": "created" } })].join("_");
      await client.create(configMap("result", { result }));
    `);
    const result = changes.find(({ name }) => name === "result")?.fields.find(({ path }) => path === "data");
    expect(result?.after).toEqual({ result: "1_notfound_created_listed-2_created" });
  });

  fullTest("by watches, whose handlers enqueue requests until none is left", async () => {
    const { changes, reconciles } = await plan(
      `
      const child = await client.get(ConfigMap, { namespace, name: "child" }).catch(() => undefined);
      if (!child) {
        const object = configMap("child", { step: "1" });
        runtime.setControllerReference(await client.get(Widget, key), object);
        await client.create(object);
      } else if (Number(child.data.step) < 3) {
        await client.update({ ...child, data: { step: String(Number(child.data.step) + 1) } });
      }
      `,
      { builder: ".owns(ConfigMap)" },
    );
    expect(reconciles).toBe(4);
    expect(changes).toMatchObject([
      { name: "child", action: "create", writes: [{ verb: "create" }, { verb: "update" }, { verb: "update" }] },
    ]);
    expect(changes[0]?.fields).toContainEqual({ path: "data", action: "add", after: { step: "3" } });
    expect(changes[0]?.writes[1]?.reasons).toEqual([
      { type: "create", kind: "ConfigMap", namespace: "default", name: "child" },
    ]);
  });

  fullTest("an update with an outdated version of the plan has a conflict", async () => {
    const { changes } = await plan(`
      const old = await apiReader.get(ConfigMap, { namespace: "default", name: "stored" });
      const next = await client.update({ ...old, data: { a: "2" } });
      const conflict = await client.update({ ...old, data: { a: "3" } }).catch((error) => error.reason);
      await client.update({ ...next, data: { a: conflict } });
    `);
    expect(changes.map(({ fields }) => fields)).toEqual([
      [{ path: "data.a", action: "change", before: "1", after: "Conflict" }],
    ]);
  });

  it("a deletion hides the object, with finalizers it gets a deletionTimestamp, and planned children are deleted", async () => {
    const { changes, failed } = await plan(`
      await client.delete(ConfigMap, { namespace: "default", name: "held" });
      const held = await apiReader.get(ConfigMap, { namespace: "default", name: "held" });
      const parent = await client.create(configMap("parent", {}));
      const child = configMap("child", {});
      runtime.setControllerReference(parent, child);
      await client.create(child);
      await client.delete(parent);
      const left = (await apiReader.list(ConfigMap, { namespace: "default" })).items.map((one) => one.metadata.name);
      await client.create(configMap("result", { time: String(held.metadata.deletionTimestamp !== undefined), left: String(left.includes("child")) }));
    `);
    expect(failed).toEqual([]);
    expect(labelsOf(changes)).toEqual(["delete ConfigMap held", "create ConfigMap result"]);
    expect(changes[1]?.fields).toContainEqual({ path: "data", action: "add", after: { time: "true", left: "false" } });
  });
});

describe("a reconcile", () => {
  it("runs again at once with requeue, later with requeueAfter, and not after an error", async () => {
    await server.client.create(widget("second", "red"));
    await server.client.create(widget("third", "red"));
    const { later, failed, reconciles } = await plan(`
      if (name === "first") return count === 1 ? { requeue: true } : {};
      if (name === "second") return { requeueAfter: 60_000 };
      throw new Error("third fails");
    `);
    expect(reconciles).toBe(4);
    expect(later).toEqual([
      { controller: "widget", object: { kind: "Widget", namespace: "default", name: "second" }, requeueAfter: 60_000 },
    ]);
    expect(failed).toMatchObject([{ phase: "reconcile", message: "third fails", object: { name: "third" } }]);
    await server.client.delete(Widget, { namespace: "default", name: "second" });
    await server.client.delete(Widget, { namespace: "default", name: "third" });
  });

  fullTest("that never settles is reported as unstable, with its fields", async () => {
    const { failed, reconciles } = await plan(`
      const object = await client.get(Widget, key);
      await client.status.update({ ...object, status: { color: String(count) } });
    `);
    expect(failed).toMatchObject([{ phase: "unstable", message: expect.stringContaining("status.color") }]);
    expect(reconciles).toBeGreaterThan(20);
    expect(reconciles).toBeLessThan(25);
  });

  fullTest("that takes longer than the limit fails in phase timeout", async () => {
    const { failed } = await plan("await new Promise(() => setInterval(() => {}, 1000));", { timeout: 5000 });
    expect(failed).toMatchObject([{ phase: "timeout", object: { name: "first" } }]);
  });

  fullTest("concerns only the targets, and a missing one is a failure", async () => {
    await server.client.create(widget("second", "red"));
    const body = 'await client.create(configMap("for-" + name, {}));';
    const one = await plan(body, { targets: [{ kind: "widget", name: "second" }] });
    expect(labelsOf(one.changes)).toEqual(["create ConfigMap for-second"]);
    const none = await plan(body, { targets: [{ kind: "Widget", name: "none" }] });
    expect(none.failed).toMatchObject([{ phase: "reconcile", message: expect.stringContaining("Widget/none") }]);
    await server.client.delete(Widget, { namespace: "default", name: "second" });
  });

  fullTest("sees the objects that a user applies, which aren't changes", async () => {
    const { metadata, ...rest } = widget("first", "green");
    const { changes } = await plan(
      'await client.create(configMap("color", { color: (await client.get(Widget, key)).spec.color }));',
      { objects: [{ ...rest, metadata: { namespace: metadata.namespace, name: metadata.name } }] },
    );
    expect(labelsOf(changes)).toEqual(["create ConfigMap color"]);
    expect(changes[0]?.fields).toContainEqual({ path: "data", action: "add", after: { color: "green" } });
  });

  fullTest("results in the same plan for the same cluster", async () => {
    const body = 'await client.create(configMap("created", { a: "1" }));';
    const [first, second] = [await plan(body), await plan(body)];
    const { requests: _, ...one } = first;
    const { requests: __, ...other } = second;
    expect(other).toEqual(one);
  });
});

describe("other systems", () => {
  it.each(
    variants(
      [
        ["a connection", `await fetch("http://127.0.0.1:9/").catch(() => {});`, "connection to 127.0.0.1:9 refused"],
        [
          "a socket",
          `await new Promise((end) => process.getBuiltinModule("node:net").connect(9, "127.0.0.1").on("error", end));`,
          "connection to 127.0.0.1:9 refused",
        ],
        ["a program", `process.getBuiltinModule("node:child_process").spawn("true");`, "program true refused"],
        [
          "a program that is waited for",
          `process.getBuiltinModule("node:child_process").execFileSync("true");`,
          "program true refused",
        ],
        [
          "a datagram",
          `process.getBuiltinModule("node:dgram").createSocket("udp4").unref().send("x", 9, "127.0.0.1");`,
          "datagram refused",
        ],
      ],
      2,
    ),
  )("%s fails and makes the plan incomplete", async (_what, body, message) => {
    const { failed } = await plan(body);
    expect(failed).toMatchObject([{ phase: "external", message: `plan: ${message}`, object: { name: "first" } }]);
  });

  const more = `
    class Buckets {
      #names = ["a"];
      async list() { return (await fetch("http://127.0.0.1:9/").catch(() => undefined), this.#names); }
      async create(name, password) { throw new Error("called"); }
      async remove(name) { throw new Error("called"); }
    }
    const buckets = external("buckets", new Buckets(), {
      reads: ["list"],
      plan: { create: async (name) => ({ name }) },
    });
  `;

  it("declared functions that read are called, and may connect", async () => {
    const { failed, external, changes } = await plan(
      'await client.create(configMap("list", { names: (await buckets.list()).join() }));',
      { more },
    );
    expect([failed, external]).toEqual([[], []]);
    expect(changes[0]?.fields).toContainEqual({ path: "data", action: "add", after: { names: "a" } });
  });

  fullTest("declared results are assumed, and the calls are listed without values of Secrets", async () => {
    const { external, changes, failed } = await plan(
      `
      const Secret = kind("", "v1", "Secret", "secrets");
      const { data } = await apiReader.get(Secret, { namespace: "default", name: "secret" });
      const { name: made } = await buckets.create("photos", atob(data.password));
      await client.create(configMap(made, {}));
      await buckets.remove("old");
      await client.create(configMap("never", {}));
      `,
      { more },
    );
    expect(failed).toEqual([]);
    expect(external).toMatchObject([
      { system: "buckets", function: "create", arguments: ["photos", "(hidden)"], assumed: true, controller: "widget" },
      { system: "buckets", function: "remove", arguments: ["old"], assumed: false },
    ]);
    expect(labelsOf(changes)).toEqual(["create ConfigMap photos"]);
  });

  it("values of Secrets aren't shown", async () => {
    const { changes } = await plan(`
      const Secret = kind("", "v1", "Secret", "secrets");
      const secret = await apiReader.get(Secret, { namespace: "default", name: "secret" });
      await client.update({ ...secret, data: { password: btoa("other value"), added: btoa("new value") } });
    `);
    expect(changes[0]?.fields).toEqual([
      { path: "data.password", action: "change", before: "(hidden)", after: "(hidden, changed)" },
      { path: "data.added", action: "add", after: "(hidden)" },
    ]);
  });
});
