// Random writes to custom resources.
import type { Json, JsonObject } from "@kubewright/cel/json";
import { type Choice, compact, type Generator, letters, metadata, some, strings, subset } from "./steps.ts";

/** The schema of the custom resource that the writes use: each kind of list and map. */
export const widgetSchema: JsonObject = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        name: { type: "string" },
        size: { type: "integer" },
        set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        plain: { type: "array", items: { type: "string" } },
        map: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: {
              name: { type: "string" },
              value: { type: "string" },
              tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
            },
          },
        },
        two: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            required: ["port"],
            properties: {
              port: { type: "integer" },
              protocol: { type: "string", default: "TCP" },
              x: { type: "string" },
            },
          },
        },
        granular: { type: "object", additionalProperties: { type: "string" } },
        atomic: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: { type: "string" } },
        struct: {
          type: "object",
          properties: { a: { type: "string" }, b: { type: "object", properties: { c: { type: "string" } } } },
        },
        any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        port: { "x-kubernetes-int-or-string": true },
        resource: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    },
    status: {
      type: "object",
      properties: {
        phase: { type: "string" },
        conditions: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
          items: {
            type: "object",
            required: ["type"],
            properties: { type: { type: "string" }, status: { type: "string" } },
          },
        },
      },
    },
  },
};

function anything(choice: Choice, depth: number): Json {
  switch (choice.below(depth > 2 ? 3 : 6)) {
    case 0:
      return choice.of(["x", "y"]);
    case 1:
      return choice.below(3);
    case 2:
      return choice.chance(0.5);
    case 3:
      return [anything(choice, depth + 1)];
    default:
      return Object.fromEntries(subset(choice, letters).map((key) => [key, anything(choice, depth + 1)]));
  }
}

const widgetParts: Record<string, (choice: Choice) => Json> = {
  name: (choice) => choice.of(letters),
  size: (choice) => choice.below(3),
  set: (choice) => subset(choice, ["a", "b", "c", "d"]),
  plain: (choice) => subset(choice, letters),
  map: (choice) =>
    subset(choice, ["a", "b", "c", "d"]).map((name) =>
      compact({
        name,
        value: some(choice, 0.5, () => choice.of(["1", "2"])),
        tags: some(choice, 0.4, () => subset(choice, letters)),
      }),
    ),
  two: (choice) =>
    subset(choice, ["80", "81", "80/UDP", "81/TCP"])
      .filter((text, _, all) => text !== "81" || !all.includes("81/TCP"))
      .map((text) => {
        const [port, protocol] = text.split("/");
        return compact({ port: Number(port), protocol, x: some(choice, 0.4, () => choice.of(["1", "2"])) });
      }),
  granular: strings,
  atomic: strings,
  struct: (choice) =>
    compact({
      a: some(choice, 0.5, () => choice.of(letters)),
      b: some(choice, 0.5, () => compact({ c: some(choice, 0.7, () => choice.of(letters)) })),
    }),
  any: (choice) => Object.fromEntries(subset(choice, letters).map((key) => [key, anything(choice, 0)])),
  port: (choice) => choice.of<Json>([80, "http"]),
  resource: (choice) => ({
    apiVersion: "v1",
    kind: "X",
    metadata: compact({ name: "n", labels: some(choice, 0.5, () => ({ [choice.of(letters)]: "1" })) }),
    ...(choice.chance(0.5) ? { data: choice.of(letters) } : {}),
  }),
};

function widgetSpec(choice: Choice, share: number): JsonObject {
  return compact(
    Object.fromEntries(
      Object.entries(widgetParts).map(([name, make]) => [name, some(choice, share, () => make(choice))]),
    ),
  );
}

function status(choice: Choice): JsonObject {
  return compact({
    phase: some(choice, 0.6, () => choice.of(letters)),
    conditions: some(choice, 0.6, () =>
      subset(choice, ["A", "B", "C"]).map((type) => ({ type, status: choice.of(["True", "False"]) })),
    ),
  });
}

/** Values that don't fit the schema. Only apply reports them; other writes are decoded and validated first. */
function strangeSpec(choice: Choice): JsonObject {
  return choice.of<JsonObject>([
    { set: ["a", "b", "a"] },
    { set: ["a", null] },
    { set: [["a"]] },
    { map: [{ name: "a" }, { name: "a", value: "1" }] },
    { map: [{ value: "1" }] },
    { map: [{ name: null }] },
    { map: [null] },
    { map: ["a"] },
    { map: { a: 1 } },
    { two: [{ port: 80 }, { port: 80, protocol: "TCP" }] },
    { two: [{ protocol: "TCP" }] },
    { two: [{ port: 1.5 }, { port: "x" }] },
    { name: choice.of<Json>([5, 1.5, 1e6, 12345678.5, true, ["a", 1], { b: 1, a: null }, null]) },
    { size: choice.of<Json>(["1", true, [], {}, null]) },
    { granular: choice.of<Json>([["a"], "a", { a: 1, b: [] }, null]) },
    { atomic: { a: 1 } },
    { struct: choice.of<Json>(["a", { a: {}, b: 1 }, { c: 1 }, { b: null }]) },
    { any: choice.of<Json>(["a", null, []]) },
    { unknown: 1 },
    { resource: { apiVersion: 1, kind: "X", metadata: { labels: { a: 1 } } } },
    { resource: { apiVersion: "v1", kind: "X", metadata: { unknown: 1 } } },
    { port: choice.of<Json>([null, [1], { a: 1 }, true]) },
  ]);
}

function lastApplied(choice: Choice): JsonObject {
  const config = {
    apiVersion: "apply.example.com/v1",
    kind: "Widget",
    metadata: { name: "x" },
    spec: widgetSpec(choice, 0.5),
  };
  return { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(config) };
}

/** Writes custom resources. */
export const widgets: Generator = {
  strategic: false,
  object: (choice, share) =>
    compact({
      metadata: choice.chance(0.15)
        ? { ...metadata(choice, share), annotations: lastApplied(choice) }
        : metadata(choice, share),
      spec: some(choice, 0.9, () => ({
        ...widgetSpec(choice, share),
        ...(share < 0.5 && choice.chance(0.12) ? strangeSpec(choice) : {}),
      })),
      status: some(choice, 0.4, () => status(choice)),
    }),
  patch: (choice) => {
    const spec = widgetSpec(choice, 0.2);
    if (choice.chance(0.4)) spec[choice.of(Object.keys(widgetParts))] = null;
    return compact({
      metadata: some(choice, 0.3, () => metadata(choice, 0.5)),
      spec,
      status: some(choice, 0.3, () => status(choice)),
    });
  },
  operations: (choice) => {
    const name = choice.of(Object.keys(widgetParts));
    const value = (widgetParts[name] as (choice: Choice) => Json)(choice);
    return choice.of<JsonObject[]>([
      [{ op: "add", path: `/spec/${name}`, value }],
      [{ op: "replace", path: `/spec/${name}`, value }],
      [{ op: "remove", path: `/spec/${name}` }],
      [{ op: "add", path: "/spec/plain/-", value: choice.of(letters) }],
      [{ op: "move", from: "/spec/name", path: "/spec/struct/a" }],
      [
        { op: "test", path: "/kind", value: "Widget" },
        { op: "copy", from: "/kind", path: "/spec/granular/a" },
      ],
      [{ op: "add", path: "/metadata/labels", value: strings(choice) }],
    ]);
  },
};
