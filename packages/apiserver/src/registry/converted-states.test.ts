import { expect, it } from "vitest";
import { customResourceType } from "../custom-resources/resource-type.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import type { Change } from "../model/stored-state.ts";
import { ConvertedStates } from "./converted-states.ts";

const text = JSON.stringify({ apiVersion: "example.com/v1", kind: "Boat", metadata: { name: "a" }, spec: { size: 1 } });
const entry = { key: "a", revision: 2, text };
const change: Change = { revision: 2, time: 0, key: "a", entry, deleted: false, previous: undefined };

/** A resource whose webhook fails while `isDown` is true. */
function boats() {
  const state = { isDown: false, calls: 0 };
  const type = {
    custom: true,
    storageVersion: "v1",
    async convert(object: ApiObject, version: string) {
      state.calls++;
      if (state.isDown) throw new Error("down");
      return { ...object, apiVersion: `example.com/${version}` };
    },
  } as unknown as ResourceType;
  return { state, type, states: new ConvertedStates(["v1", "v2"]) };
}

it("reads a change that was converted before the webhook failed", async () => {
  const { state, type, states } = boats();
  states.observe(type, change);
  await states.read(type, entry, "v2");
  state.isDown = true;
  const read = await states.read(type, entry, "v2");
  expect(read).toMatchObject({ apiVersion: "example.com/v2", spec: { size: 1 } });
  expect(state.calls).toBe(1);
});

it("returns copies", async () => {
  const { type, states } = boats();
  const first = await states.read(type, entry, "v2");
  first.spec = {};
  expect((await states.read(type, entry, "v2")).spec).toEqual({ size: 1 });
});

it("converts a change again for the next reader if the webhook failed", async () => {
  const { state, type, states } = boats();
  state.isDown = true;
  states.observe(type, change);
  await expect(states.read(type, entry, "v2")).rejects.toThrow("down");
  expect(await states.known(entry, "v2")).toBeUndefined();
  state.isDown = false;
  await expect(states.read(type, entry, "v2")).resolves.toMatchObject({ apiVersion: "example.com/v2" });
});

it("waits for conversions of changes, but not for a webhook that doesn't answer", async () => {
  const { type, states } = boats();
  type.convert = () => new Promise(() => {});
  states.observe(type, change);
  const waits: number[] = [];
  const after = (milliseconds: number, call: () => void) => {
    waits.push(milliseconds);
    call();
    return () => {};
  };
  const engine = { sendEvents: async () => {}, after } as unknown as Parameters<ConvertedStates["settle"]>[0];
  await states.settle(engine);
  expect(waits).toHaveLength(1);
});

it("converts changes only to versions that are served", async () => {
  const versions = ["v1", "v2", "v3"].map((name) => ({ name, served: name !== "v3", storage: name === "v1" }));
  const names = { plural: "boats", singular: "boat", kind: "Boat", listKind: "BoatList" };
  const spec = { group: "example.com", names, scope: "Namespaced", versions, conversion: { strategy: "Webhook" } };
  const calls: string[] = [];
  const convert = async (object: ApiObject, apiVersion: string) => {
    calls.push(apiVersion);
    return { ...object, apiVersion };
  };
  const type = customResourceType(
    { metadata: { name: "boats.example.com" }, spec } as unknown as ApiObject,
    convert,
    1,
  );
  type.converted?.observe(type, change);
  await type.converted?.read(type, entry, "v2");
  expect(calls).toEqual(["example.com/v2"]);
});
