import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { ApiError } from "../errors/api-error.ts";
import { isForbidden } from "../errors/predicates.ts";
import { setUp } from "./cache.fixture.ts";
import { Thing } from "./fake-server.fixture.ts";
import { type CacheOptions, kindSettings } from "./options.ts";

describe("the options of the cache", () => {
  it("I16: apply the transform of a namespace before that of the kind, and that before the default", () => {
    const mark = (value: string) => (object: KubernetesObject) => Object.assign(object, { value });
    const apply = (options: CacheOptions, namespace: string) => {
      const scope = kindSettings(options, Thing)
        .scopes(true)
        .find((config) => (config.namespace ?? "") === namespace);
      const object = { apiVersion: "v1", kind: "Thing", metadata: { managedFields: [{}] } };
      return scope?.transform?.(object) ?? object;
    };
    const defaults: CacheOptions = {
      defaultTransform: mark("default"),
      defaultNamespaces: { one: { transform: mark("default of one") }, two: {}, "": {} },
    };
    expect(apply(defaults, "one")).toMatchObject({ value: "default of one" });
    expect(apply(defaults, "two")).toMatchObject({ value: "default" });
    expect(apply(defaults, "")).toMatchObject({ value: "default" });
    const byObject = [{ object: Thing, transform: mark("kind") }];
    expect(apply({ ...defaults, byObject }, "one")).toMatchObject({ value: "kind" });
    const namespaces = { one: { transform: mark("one") }, two: {} };
    expect(apply({ ...defaults, byObject: [{ ...byObject[0]!, namespaces }] }, "one")).toMatchObject({ value: "one" });
    expect(apply({ ...defaults, byObject: [{ ...byObject[0]!, namespaces }] }, "two")).toMatchObject({ value: "kind" });
    expect(apply({}, "").metadata?.managedFields).toBeUndefined();
    expect(apply({ keepManagedFields: true }, "").metadata?.managedFields).toEqual([{}]);
  });

  it("escape values in selectors, and reject label values that no object can have", () => {
    const selectors = (options: CacheOptions, namespaced = false) =>
      kindSettings(options, Thing)
        .scopes(namespaced)
        .map(({ labels, fields }) => ({ labels, fields }));
    const defaultLabelSelector = { app: "game", tier: "gold" };
    expect(selectors({ defaultLabelSelector, defaultFieldSelector: { ".spec.value": "a,b=c" } })).toEqual([
      { labels: "app=game,tier=gold", fields: "spec.value=a\\,b\\=c" },
    ]);
    expect(selectors({ defaultLabelSelector: {}, defaultFieldSelector: "" })).toEqual([{}]);
    const defaultNamespaces = { "": { field: { value: "a,b" } }, one: { label: "a in (b,c)" } };
    expect(selectors({ defaultNamespaces }, true)).toEqual([
      { fields: "value=a\\,b,metadata.namespace!=one" },
      { labels: "a in (b,c)" },
    ]);
    const { cache } = setUp({ byObject: [{ object: Thing, label: { app: "a,b" } }] });
    expect(() => cache.inform(Thing)).toThrow(new TypeError(`"a,b" isn't a valid value of the label app`));
  });

  it("I10: set the resync period per kind", () => {
    const options: CacheOptions = { syncPeriod: 1000, byObject: [{ object: Thing, syncPeriod: 5 }] };
    expect(kindSettings(options, Thing).syncPeriod).toBe(5);
    expect(kindSettings({ syncPeriod: 1000 }, Thing).syncPeriod).toBe(1000);
    expect(kindSettings({}, Thing).syncPeriod).toBe(36_000_000);
  });

  it("I14: apply an index to all namespaces of the cache", async () => {
    const { cache, server, start } = setUp({ defaultNamespaces: { one: {}, "": {} } });
    cache.indexField(Thing, ".spec.value", (thing) => [thing.value ?? ""]);
    server.put("a", "red", "one");
    server.put("b", "red", "two");
    server.put("c", "blue", "two");
    await start();
    const list = async (namespace?: string) =>
      (await cache.list(Thing, { namespace, fields: { "spec.value": "red" } })).items.map(
        ({ metadata }) => metadata.name,
      );
    expect((await list()).sort()).toEqual(["a", "b"]);
    expect(await list("two")).toEqual(["b"]);
  });

  it("call defaultWatchErrorHandler for each failure with the kind, and ignore its own errors", async () => {
    const failures: string[] = [];
    const { cache, server, clock, start } = setUp({
      defaultWatchErrorHandler: (kind, error) => {
        failures.push(`${kind.kind} ${isForbidden(error)}`);
        throw new Error("mine");
      },
    });
    let refusals = 3;
    server.refuse = () => {
      if (refusals-- > 0) throw ApiError.forbidden("Thing", "", "no");
    };
    cache.inform(Thing);
    await start();
    await clock.advance(60_000);
    expect(failures).toEqual(["Thing true", "Thing true", "Thing true"]);
    expect(cache.hasSynced).toBe(true);
  });
});
