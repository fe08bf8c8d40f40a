import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../api/index.ts";
import { groupVersion, type Kind } from "../../kind.ts";
import { noWebhookMetrics } from "../metrics.ts";
import { json, send, startServer, type TestServer } from "../server.fixture.ts";
import { Ticket, TicketV1alpha1, TicketV1beta1, ticket, ticketConverter } from "../ticket.fixture.ts";
import type { Converter } from "./converter.ts";
import { ConverterRegistry } from "./registry.ts";

interface Broken extends KubernetesObject {
  spec: { how: string };
}
const brokenGroup = (version: string): Kind<Broken> => groupVersion("broken.dev", version).kind<Broken>("Broken");
const broken: Converter<Broken, [Broken, Broken, Broken]> = {
  hub: brokenGroup("v2"),
  spokes: [
    {
      kind: brokenGroup("v1"),
      toHub({ metadata: _none, ...object }: Broken) {
        if (object.spec.how === "bug") return (undefined as unknown as { gone: { on: Broken } }).gone.on;
        if (object.spec.how === "text") throw "text";
        if (object.spec.how === "nothing") return undefined as unknown as Broken;
        return object;
      },
      fromHub(object: Broken) {
        if (object.spec.how === "back") throw new Error("no way back");
        return object;
      },
    },
    {
      kind: brokenGroup("v1alpha1"),
      toHub: (object: Broken) => object,
      fromHub(object: Broken) {
        if (object.spec.how === "further") throw new Error("no way further");
        return object;
      },
    },
  ] as never,
};

let t: TestServer;
let panics = 0;

beforeAll(async () => {
  t = await startServer(
    (server) => {
      server.registerConverter(Ticket, ticketConverter as never);
      server.registerConverter(brokenGroup("v1"), broken as never);
    },
    {},
    { metrics: { ...noWebhookMetrics, conversionPanicked: () => void panics++ } },
  );
});
afterAll(() => t.stop());

async function convert(desiredAPIVersion: string, objects: unknown, more: object = {}) {
  const body = JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid: "u-1", desiredAPIVersion, objects },
    ...more,
  });
  const { status, text } = await send(t.port, { path: "/convert?timeout=30s", headers: json }, body);
  return { status, review: text === "" ? undefined : JSON.parse(text), text };
}

const failure = async (desired: string, objects: unknown[]): Promise<string> => {
  const { status, review } = await convert(desired, objects);
  expect(status).toBe(200);
  expect(review.response).toMatchObject({ uid: "u-1", convertedObjects: [], result: { status: "Failure" } });
  return review.response.result.message;
};

const v1 = ticket("one", { title: "opera", price: { amount: 3, currency: "EUR" } });
const v1beta1 = { ...v1, apiVersion: TicketV1beta1.apiVersion, spec: { title: "opera", price: "3 EUR" } };
const v1alpha1 = {
  ...v1,
  apiVersion: TicketV1alpha1.apiVersion,
  metadata: { ...v1.metadata, annotations: { "webhook.kubewright.dev/price": '{"amount":3,"currency":"EUR"}' } },
  spec: { name: "opera" },
};

describe("W7: conversion", () => {
  it.each([
    ["hub to spoke", v1, v1beta1],
    ["spoke to hub", v1beta1, v1],
    ["spoke to spoke, by way of the hub", v1beta1, v1alpha1],
    ["hub to the other spoke", v1, v1alpha1],
  ])("%s", async (_name, from, to) => {
    const { status, review } = await convert(to.apiVersion, [from]);
    expect(status).toBe(200);
    expect(review).toEqual({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "ConversionReview",
      response: { uid: "u-1", convertedObjects: [to], result: { metadata: {}, status: "Success" } },
    });
  });

  it("all objects of a request, of several versions, in their order", async () => {
    const { review } = await convert(v1.apiVersion, [v1beta1, { ...v1alpha1, metadata: { name: "two" } }, v1beta1]);
    const converted = review.response.convertedObjects;
    expect(converted.map(({ metadata }: Ticket) => metadata.name)).toEqual(["one", "two", "one"]);
    expect(converted.every(({ apiVersion }: Ticket) => apiVersion === v1.apiVersion)).toBe(true);
  });

  it("none at all", async () => {
    for (const objects of [[], null, undefined]) {
      const { review } = await convert(v1.apiVersion, objects);
      expect(review.response).toEqual({
        uid: "u-1",
        convertedObjects: [],
        result: { metadata: {}, status: "Success" },
      });
    }
  });

  it("five thousand objects", async () => {
    const objects = Array.from({ length: 5000 }, (_, index) => ({ ...v1beta1, metadata: { name: `n-${index}` } }));
    const { review } = await convert(v1.apiVersion, objects);
    expect(review.response.convertedObjects).toHaveLength(5000);
  });

  it("reviews of v1beta1, in kind", async () => {
    const { review } = await convert(v1.apiVersion, [v1beta1], { apiVersion: "apiextensions.k8s.io/v1beta1" });
    expect(review.apiVersion).toBe("apiextensions.k8s.io/v1beta1");
    expect(review.response.result.status).toBe("Success");
  });

  it("integers stay digit for digit, and unknown fields stay", async () => {
    const text = JSON.stringify({
      request: { uid: "u", desiredAPIVersion: v1.apiVersion, objects: [v1beta1] },
    }).replace('"title":"opera"', '"title":"opera","id":9007199254740993,"unknown":{"a":[null]}');
    const answer = await send(t.port, { path: "/convert", headers: json }, text);
    expect(answer.text).toContain('"id":9007199254740993,"unknown":{"a":[null]}');
  });

  it("metadata comes along where a converter gives none", async () => {
    const object = {
      apiVersion: "broken.dev/v1",
      kind: "Broken",
      metadata: { name: "x", uid: "1" },
      spec: { how: "" },
    };
    const { review } = await convert("broken.dev/v2", [object]);
    expect(review.response.convertedObjects).toEqual([{ ...object, apiVersion: "broken.dev/v2" }]);
  });
});

describe("W7: the whole request fails", () => {
  const brokenObject = (how: string, version = "v1") => ({
    apiVersion: `broken.dev/${version}`,
    kind: "Broken",
    metadata: {},
    spec: { how },
  });

  it("if one object fails", async () => {
    const bad = { ...v1alpha1, spec: { name: "unconvertible" } };
    expect(await failure(v1.apiVersion, [v1beta1, bad])).toBe("spec.name: nobody knows what that is");
  });

  it("for the same version", async () => {
    expect(await failure(v1.apiVersion, [v1])).toBe(
      "conversion is not allowed between same type webhook.kubewright.dev/v1, Kind=Ticket",
    );
  });

  it("for another group", async () => {
    expect(await failure("other.dev/v1", [v1])).toContain("do not belong to the same API group");
  });

  it("for a version that nobody knows, on either side", async () => {
    const unknown = "webhook.kubewright.dev/v9";
    expect(await failure(unknown, [v1])).toBe(
      "failed to convert webhook.kubewright.dev/v1, Kind=Ticket to webhook.kubewright.dev/v9, Kind=Ticket: not convertible",
    );
    expect(await failure(v1.apiVersion, [{ ...v1, apiVersion: unknown }])).toContain("not convertible");
  });

  it("for a kind that nobody converts", async () => {
    expect(await failure(v1.apiVersion, [{ ...v1beta1, kind: "Seat" }])).toContain("no converter is registered");
  });

  it.each([null, 1, "x", [], {}, { apiVersion: "webhook.kubewright.dev/v1" }])(
    "for %j, which is no object",
    async (bad) => {
      expect(await failure(v1.apiVersion, [bad])).toBe("an object to convert has no apiVersion or kind");
    },
  );

  it("with the half of the way that failed, between two spokes", async () => {
    expect(await failure("broken.dev/v1alpha1", [brokenObject("further")])).toBe(
      "failed to convert hub broken.dev/v2, Kind=Broken to spoke broken.dev/v1alpha1, Kind=Broken : no way further",
    );
    expect(await failure("broken.dev/v1alpha1", [brokenObject("nothing")])).toBe(
      "failed to convert spoke broken.dev/v1, Kind=Broken to hub broken.dev/v2, Kind=Broken : " +
        "the converter returned no object for broken.dev/v2, Kind=Broken",
    );
    expect(await failure("broken.dev/v1", [brokenObject("back", "v2")])).toBe("no way back");
  });

  it.each([
    ["bug", "broken.dev/v2"],
    ["bug", "broken.dev/v1alpha1"],
    ["text", "broken.dev/v2"],
  ])("for a %s on the way to %s without telling of it, but it is counted", async (how, desired) => {
    panics = 0;
    expect(await failure(desired, [brokenObject(how)])).toBe("internal error occurred during conversion");
    expect(panics).toBe(1);
  });
});

describe("W1: HTTP 400 is for what is no review", () => {
  it.each(["", "{", "[]", "null", "{}", '{"request":null}', '{"request":{"objects":{}}}'])("%s", async (body) => {
    const { status, text } = await send(t.port, { path: "/convert", headers: json }, body);
    expect({ status, text }).toEqual({ status: 400, text: "" });
  });
});

describe("registering converters", () => {
  const spoke = (kind: Kind) => ({
    kind,
    toHub: (object: KubernetesObject) => object,
    fromHub: (object: KubernetesObject) => object,
  });
  const register = (converter: Converter, kind: Kind = Ticket, registry = new ConverterRegistry()) =>
    registry.register(kind, converter);

  it.each([
    ["a hub of another kind", { hub: brokenGroup("v1"), spokes: [] }, "the hub is Broken.broken.dev"],
    ["a spoke of another kind", { hub: Ticket, spokes: [spoke(brokenGroup("v1"))] }, "does not match hub GroupKind"],
    [
      "a spoke twice",
      { hub: Ticket, spokes: [spoke(TicketV1beta1), spoke(TicketV1beta1)] },
      "duplicate spoke converter for version v1beta1",
    ],
    ["the hub as spoke", { hub: Ticket, spokes: [spoke(Ticket)] }, "version v1 is the hub"],
  ])("refuses %s", (_name, converter, message) => {
    expect(() => register(converter as unknown as Converter)).toThrow(message);
  });

  it("refuses a second converter of a kind", () => {
    const registry = new ConverterRegistry();
    const converter = ticketConverter as unknown as Converter;
    register(converter, Ticket, registry);
    expect(() => register(converter, TicketV1beta1, registry)).toThrow(
      "failed to register Converter for GroupKind Ticket.webhook.kubewright.dev: converter already registered",
    );
  });
});
