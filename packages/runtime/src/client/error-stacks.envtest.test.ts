// Errors of the API server have frames of the code that called the client, with and without inspection.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Config } from "../config/config.ts";
import { createOrUpdate } from "../controllerutil/create-or-update.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { ApiError } from "../errors/api-error.ts";
import { silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import { Widget, widget, widgetCRD } from "../manager/widget.fixture.ts";
import { mergeFrom } from "./patch.ts";
import { newNamespacedClient } from "./wrappers/namespaced.ts";
import { withFieldOwner } from "./wrappers/with-options.ts";

const environment = new TestEnvironment({ crds: [widgetCRD] });
let config: Config;
let mgr: Manager;
beforeAll(async () => {
  config = await environment.start();
});
afterAll(() => environment.stop());

const missing = { namespace: "default", name: "none" };
/** An object that doesn't exist on the server. */
const other = (): Widget => {
  const { metadata, ...rest } = widget("none", "red");
  return { ...rest, metadata: { ...metadata, resourceVersion: "1" } };
};
const invalid = () => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "default", name: "NOT_VALID", uid: "1", resourceVersion: "1" },
});
const created = () => {
  const { metadata, ...rest } = invalid();
  return { ...rest, metadata: { namespace: metadata.namespace, name: metadata.name } };
};

/** Clients of operators often have wrappers, each of which adds frames. */
const wrapped = () => withFieldOwner(withFieldOwner(newNamespacedClient(mgr.client, "default"), "a"), "b");

const calls: [string, () => Promise<unknown>][] = [
  ["get from the cache", () => wrapped().get(Widget, missing)],
  ["get from the server", () => mgr.apiReader.get(Widget, missing)],
  ["list", () => mgr.apiReader.list(Widget, { limit: 1, continue: "wrong" })],
  ["create", () => wrapped().create(created())],
  ["update", () => wrapped().update(other())],
  ["update of the status", () => wrapped().status.update(other())],
  ["patch", () => wrapped().patch(other(), mergeFrom(widget("none", "blue")))],
  ["delete", () => wrapped().delete(Widget, missing)],
  ["apply", () => wrapped().apply(created(), { fieldOwner: "test", force: true })],
  ["createOrUpdate", () => createOrUpdate(wrapped(), created(), () => {})],
];

describe.each([false, true])("with inspection: %s", (inspect) => {
  const stop = new AbortController();
  let done: Promise<void>;
  beforeAll(async () => {
    mgr = await Manager.create(config, { metrics: { bindAddress: "0" }, logger: silentLogger, inspect });
    done = mgr.start(stop.signal);
    done.catch(() => {});
    await mgr.cache.inform(Widget).synced;
  });
  afterAll(async () => {
    stop.abort();
    await done;
  });

  it.each(calls)("%s", async (_name, call) => {
    // The default of Node.js, which is higher under Vitest.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 10;
    async function usersHelper(): Promise<void> {
      await call();
    }
    async function usersReconcile(): Promise<void> {
      await usersHelper();
    }
    const error = await usersReconcile().catch((thrown: unknown) => thrown);
    const left = Error.stackTraceLimit;
    Error.stackTraceLimit = limit;
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).stack).toContain("usersReconcile");
    expect(left).toBe(10);
  });
});
