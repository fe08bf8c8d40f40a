// Kinds that a manager watches, but doesn't wait for: those of optional entries, of former versions, and of AnyKind.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ConfigMap } from "../api/core/v1.ts";
import { ClusterRole } from "../api/rbac/v1.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import type { Client, Stored } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import type { Config } from "../config/config.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import { silentLogger } from "../log/logger.ts";
import { Manager } from "../manager/manager.ts";
import { eventually, Widget, widget, widgetCRD } from "../manager/widget.fixture.ts";
import type { Context } from "../reconcile/context.ts";
import { createTransport } from "../transport/create-transport.ts";
import { type Children, childrenOf } from "./children.ts";
import { AnyKind } from "./types.ts";

const environment = new TestEnvironment({ crds: [widgetCRD] });
const key = { namespace: "default", name: "w" };
let config: Config;
let user: Client;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  config = await environment.start();
  user = await createClient(config);
  await user.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "far" } });
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => environment.stop());

/**
 * Runs a controller whose widgets have a ConfigMap in another namespace.
 *
 * @param listed - called before a list of ConfigMaps
 */
async function runController(entry: "optional" | "former" | "any", listed: () => Promise<void>): Promise<string[]> {
  const stop = new AbortController();
  const connection = createTransport(config, { logger: silentLogger });
  const writes: string[] = [];
  const wait = async (path: string): Promise<void> => {
    if (/^\/api\/v1\/configmaps/.test(path)) await listed();
  };
  const transport = {
    close: connection.close.bind(connection),
    stream: async (request: Parameters<typeof connection.stream>[0]) => {
      await wait(request.path);
      return connection.stream(request);
    },
    request: async (request: Parameters<typeof connection.request>[0]) => {
      await wait(request.path);
      if (request.method !== "GET" && !/leases|events/.test(request.path)) {
        writes.push(`${request.method} ${request.path}`);
      }
      return connection.request(request);
    },
  };
  const mgr = await Manager.create(config, { logger: silentLogger, transport, metrics: { bindAddress: "0" } } as never);
  const optional = childrenOf(Widget, { config: ConfigMap }, { entries: { config: { optional: true } } });
  const former = childrenOf(Widget, {}, { former: [ConfigMap] });
  const any = childrenOf(Widget, { any: [AnyKind] });
  const metadata = { namespace: "far", name: "w" };
  const data = { a: "1" };
  const reconcileChildren = {
    optional: (ctx: Context, owner: Stored<Widget>) =>
      optional.reconcile(ctx, mgr.client, owner, { config: { metadata, data } }),
    former: (ctx: Context, owner: Stored<Widget>) => former.reconcile(ctx, mgr.client, owner, {}),
    any: (ctx: Context, owner: Stored<Widget>) =>
      any.reconcile(ctx, mgr.client, owner, { any: [{ apiVersion: "v1", kind: "ConfigMap", metadata, data }] }),
  };
  await newControllerManagedBy(mgr)
    .for(Widget)
    .manages({ optional, former, any }[entry] as Children<Widget>)
    .complete({
      async reconcile(ctx, request) {
        const owner = await ignoreNotFound(mgr.client.get(Widget, request));
        if (!owner) return;
        writes.push("begin");
        const { results } = await reconcileChildren[entry](ctx, owner);
        writes.push(...results.map(({ action, message = "" }) => `${action} ${message}`.trim()));
        writes.push("end");
      },
    });
  const done = mgr.start(stop.signal);
  stops.push(async () => {
    stop.abort();
    await done;
    await transport.close();
  });
  return writes;
}

it("an optional kind that isn't in the cache yet is awaited: nothing is skipped or written after a restart", async () => {
  await user.create(widget("w", "blue"));
  const first = await runController("optional", async () => {});
  await eventually(() => expect(first.at(-1)).toBe("end"));
  await eventually(async () =>
    expect((await user.get(ConfigMap, { namespace: "far", name: "w" })).data).toEqual({ a: "1" }),
  );
  await stops.pop()!();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const second = await runController("optional", () => released);
  await eventually(() => expect(second).toEqual(["begin"]));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(second).toEqual(["begin"]);
  release();
  await eventually(() => expect(second.slice(0, 3)).toEqual(["begin", "unchanged", "end"]));
});

it("an optional kind that can't be read is a failure, and isn't skipped", async () => {
  const actions = await runController("optional", () => Promise.reject(new Error("the connection broke")));
  await eventually(() => expect(actions.filter((line) => /^(failed|skipped)/.test(line))[0]).toContain("failed the"));
});

it("a kind of AnyKind that can't be read doesn't hold the reconcile forever", async () => {
  const actions = await runController("any", () => Promise.reject(new Error("the connection broke")));
  await eventually(() => expect(actions.filter((line) => /^(failed|skipped)/.test(line))[0]).toContain("failed the"));
});

it("a former kind that isn't in the cache yet is awaited: its child is pruned before the owner loses its finalizer", async () => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  expect((await user.get(Widget, key)).metadata.finalizers).toEqual(["test.kubewright.dev/children"]);
  const actions = await runController("former", () => released);
  await eventually(() => expect(actions).toEqual(["begin"]));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(actions).toEqual(["begin"]);
  release();
  await eventually(async () => {
    expect(actions).toContain("pruned");
    expect((await user.get(Widget, key)).metadata.finalizers ?? []).toEqual([]);
  });
});

it("two controllers with children of one owner: both delete theirs, and the last one removes the finalizer", async () => {
  const stop = new AbortController();
  const mgr = await Manager.create(config, { logger: silentLogger, metrics: { bindAddress: "0" } } as never);
  const errors: string[] = [];
  for (const [name, children, wanted] of [
    [
      "configs",
      childrenOf(Widget, { a: ConfigMap }, { fieldOwner: "configs" }),
      { a: { metadata: { namespace: "far", name: "two" } } },
    ],
    ["roles", childrenOf(Widget, { a: ClusterRole }, { fieldOwner: "roles" }), { a: { metadata: { name: "two" } } }],
  ] as const) {
    await newControllerManagedBy(mgr)
      .named(name)
      .for(Widget)
      .manages(children as Children<Widget>)
      .complete({
        async reconcile(ctx, request) {
          const owner = await ignoreNotFound(mgr.client.get(Widget, request));
          if (owner?.metadata.name !== "two") return;
          const { results } = await (children as Children<Widget>).reconcile(ctx, mgr.client, owner, wanted as never);
          errors.push(
            ...results.flatMap(({ action, message = "" }) =>
              message.includes("former") ? [`${action} ${message}`] : [],
            ),
          );
        },
      });
  }
  const done = mgr.start(stop.signal);
  stops.push(async () => {
    stop.abort();
    await done;
  });
  await user.create(widget("two", "blue"));
  await eventually(async () => {
    await user.get(ConfigMap, { namespace: "far", name: "two" });
    await user.get(ClusterRole, { name: "two" });
  });
  await user.delete(Widget, { namespace: "default", name: "two" });
  await eventually(async () => {
    await expect(user.get(Widget, { namespace: "default", name: "two" })).rejects.toThrow("not found");
    await expect(user.get(ConfigMap, { namespace: "far", name: "two" })).rejects.toThrow("not found");
    await expect(user.get(ClusterRole, { name: "two" })).rejects.toThrow("not found");
  });
  expect(errors).toEqual([]);
});
