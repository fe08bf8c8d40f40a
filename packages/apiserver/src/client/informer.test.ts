import { describe, expect, it } from "vitest";
import type { ResourceType } from "../model/resource.ts";
import type { Engine } from "../registry/scope.ts";
import { Store } from "../storage/store.ts";
import { Informer } from "./informer.ts";

const type = { collection: "pods", kind: "Pod", group: "", storageVersion: "v1", namespaced: true } as ResourceType;

function setup() {
  const store = new Store({ now: () => 0 });
  const collection = store.collection("pods");
  const put = (name: string, labels: { [key: string]: string } = {}): void => {
    store.put(collection, `default/${name}`, (revision) =>
      JSON.stringify({ metadata: { name, namespace: "default", labels, resourceVersion: String(revision) } }),
    );
  };
  const remove = (name: string): void => {
    store.delete(collection, `default/${name}`, () => "{}");
  };
  const informer = new Informer({ store } as Engine, type);
  return { store, put, remove, informer };
}

describe("Informer", () => {
  it("contains the objects that exist at the start, and each write immediately", () => {
    const { put, remove, informer } = setup();
    put("a");
    const seen: string[] = [];
    informer.onChange((object, old) => seen.push(`${object?.metadata.name} ${old?.metadata.name}`));
    informer.start();
    put("b");
    put("b", { x: "y" });
    remove("a");
    expect(seen).toEqual(["a undefined", "b undefined", "b b", "undefined a"]);
    expect(informer.get("default", "a")).toBeUndefined();
    expect(informer.get("default", "b")?.metadata.labels).toEqual({ x: "y" });
  });

  it("keeps its indexes current", () => {
    const { put, remove, informer } = setup();
    const byLabel = informer.index(({ metadata }) => Object.values(metadata.labels ?? {}));
    informer.start();
    const names = (key: string): unknown[] => byLabel(key).map(({ metadata }) => metadata.name);
    put("a", { app: "web" });
    put("b", { app: "web" });
    expect(names("web")).toEqual(["a", "b"]);
    put("a", { app: "db" });
    remove("b");
    expect(names("web")).toEqual([]);
    expect(names("db")).toEqual(["a"]);
  });

  it("returns to a past state with the store", () => {
    const { store, put, remove, informer } = setup();
    informer.start();
    put("a", { version: "1" });
    put("b");
    const { revision } = store;
    put("a", { version: "2" });
    remove("b");
    put("c");
    store.restore(revision);
    expect([...informer.all()].map(({ metadata }) => metadata.name).sort()).toEqual(["a", "b"]);
    expect(informer.get("default", "a")?.metadata.labels).toEqual({ version: "1" });
    put("d");
    expect(informer.get("default", "d")).toBeDefined();
  });

  it("doesn't fail the write of a client when a listener fails", () => {
    const { put, informer } = setup();
    informer.onChange(() => {
      throw new Error("broken");
    });
    informer.start();
    put("a");
    expect(informer.get("default", "a")).toBeDefined();
  });
});
