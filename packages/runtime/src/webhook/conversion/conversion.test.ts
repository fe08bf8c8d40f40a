import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../api/index.ts";
import { groupVersion, type Kind } from "../../api/kind.ts";
import { noWebhookMetrics } from "../http/metrics.ts";
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

describe("W7: a conversion", () => {
  it.each([
    ["from hub to spoke", v1, v1beta1],
    ["from spoke to hub", v1beta1, v1],
    ["from spoke to spoke through the hub", v1beta1, v1alpha1],
    ["from hub to the other spoke", v1, v1alpha1],
  ])("succeeds %s", async (_name, from, to) => {
    const { status, review } = await convert(to.apiVersion, [from]);
    expect(status).toBe(200);
    expect(review).toEqual({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "ConversionReview",
      response: { uid: "u-1", convertedObjects: [to], result: { metadata: {}, status: "Success" } },
    });
  });

  it("returns all objects of a request in their order, even from several versions", async () => {
    const { review } = await convert(v1.apiVersion, [v1beta1, { ...v1alpha1, metadata: { name: "two" } }, v1beta1]);
    const converted = review.response.convertedObjects;
    expect(converted.map(({ metadata }: Ticket) => metadata.name)).toEqual(["one", "two", "one"]);
    expect(converted.every(({ apiVersion }: Ticket) => apiVersion === v1.apiVersion)).toBe(true);
  });

  it("returns no objects for a request without objects", async () => {
    for (const objects of [[], null, undefined]) {
      const { review } = await convert(v1.apiVersion, objects);
      expect(review.response).toEqual({
        uid: "u-1",
        convertedObjects: [],
        result: { metadata: {}, status: "Success" },
      });
    }
  });

  it("returns five thousand objects", async () => {
    const objects = Array.from({ length: 5000 }, (_, index) => ({ ...v1beta1, metadata: { name: `n-${index}` } }));
    const { review } = await convert(v1.apiVersion, objects);
    expect(review.response.convertedObjects).toHaveLength(5000);
  });

  it("responds to reviews of v1beta1 with the same version", async () => {
    const { review } = await convert(v1.apiVersion, [v1beta1], { apiVersion: "apiextensions.k8s.io/v1beta1" });
    expect(review.apiVersion).toBe("apiextensions.k8s.io/v1beta1");
    expect(review.response.result.status).toBe("Success");
  });

  it("keeps the digits of integers and unknown fields", async () => {
    const text = JSON.stringify({
      request: { uid: "u", desiredAPIVersion: v1.apiVersion, objects: [v1beta1] },
    }).replace('"title":"opera"', '"title":"opera","id":9007199254740993,"unknown":{"a":[null]}');
    const answer = await send(t.port, { path: "/convert", headers: json }, text);
    expect(answer.text).toContain('"id":9007199254740993,"unknown":{"a":[null]}');
  });

  it("keeps the metadata if a converter returns none", async () => {
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

describe("W7: a request with an impossible conversion", () => {
  const brokenObject = (how: string, version = "v1") => ({
    apiVersion: `broken.dev/${version}`,
    kind: "Broken",
    metadata: {},
    spec: { how },
  });

  it("fails completely if one object fails", async () => {
    const bad = { ...v1alpha1, spec: { name: "unconvertible" } };
    expect(await failure(v1.apiVersion, [v1beta1, bad])).toBe("spec.name: nobody knows what that is");
  });

  it("fails for the same version", async () => {
    expect(await failure(v1.apiVersion, [v1])).toBe(
      "conversion is not allowed between same type webhook.kubewright.dev/v1, Kind=Ticket",
    );
  });

  it("fails for another group", async () => {
    expect(await failure("other.dev/v1", [v1])).toContain("do not belong to the same API group");
  });

  it("fails for an unknown version of the object or of the request", async () => {
    const unknown = "webhook.kubewright.dev/v9";
    expect(await failure(unknown, [v1])).toBe(
      "failed to convert webhook.kubewright.dev/v1, Kind=Ticket to webhook.kubewright.dev/v9, Kind=Ticket: not convertible",
    );
    expect(await failure(v1.apiVersion, [{ ...v1, apiVersion: unknown }])).toContain("not convertible");
  });

  it("fails for a kind without a converter", async () => {
    expect(await failure(v1.apiVersion, [{ ...v1beta1, kind: "Seat" }])).toContain("no converter is registered");
  });

  it.each([null, 1, "x", [], {}, { apiVersion: "webhook.kubewright.dev/v1" }])(
    "fails for %j, which isn't an object",
    async (bad) => {
      expect(await failure(v1.apiVersion, [bad])).toBe("an object to convert has no apiVersion or kind");
    },
  );

  it("fails with the failed step of a conversion between two spokes", async () => {
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
  ])("fails with a %s during the conversion to %s, which is counted but not shown", async (how, desired) => {
    panics = 0;
    expect(await failure(desired, [brokenObject(how)])).toBe("internal error occurred during conversion");
    expect(panics).toBe(1);
  });
});

describe("W1: a body that isn't a review", () => {
  it.each(["", "{", "[]", "null", "{}", '{"request":null}', '{"request":{"objects":{}}}'])(
    "gets HTTP 400: %s",
    async (body) => {
      const { status, text } = await send(t.port, { path: "/convert", headers: json }, body);
      expect({ status, text }).toEqual({ status: 400, text: "" });
    },
  );
});

describe("ConverterRegistry", () => {
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
      "a duplicate spoke",
      { hub: Ticket, spokes: [spoke(TicketV1beta1), spoke(TicketV1beta1)] },
      "duplicate spoke converter for version v1beta1",
    ],
    ["the hub as a spoke", { hub: Ticket, spokes: [spoke(Ticket)] }, "version v1 is the hub"],
  ])("rejects %s", (_name, converter, message) => {
    expect(() => register(converter as unknown as Converter)).toThrow(message);
  });

  it("rejects a second converter of a kind", () => {
    const registry = new ConverterRegistry();
    const converter = ticketConverter as unknown as Converter;
    register(converter, Ticket, registry);
    expect(() => register(converter, TicketV1beta1, registry)).toThrow(
      "failed to register Converter for GroupKind Ticket.webhook.kubewright.dev: converter already registered",
    );
  });
});
