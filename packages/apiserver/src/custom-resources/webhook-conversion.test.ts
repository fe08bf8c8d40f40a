import { expect, it } from "vitest";
import type { ApiObject } from "../model/resource.ts";
import type { WebhookClients } from "../webhook/client.ts";
import { createConverter } from "./webhook-conversion.ts";

/** Converts an object with a webhook that changes the version and adds a label, and counts its calls. */
async function converted(object: object): Promise<{ result: unknown; calls: number }> {
  let calls = 0;
  const clients = {
    async call(_config: unknown, _seconds: number, document: string) {
      calls++;
      const { apiVersion, kind, request } = JSON.parse(document);
      const convertedObjects = request.objects.map((one: { metadata?: object }) => ({
        ...one,
        apiVersion: request.desiredAPIVersion,
        metadata: { ...one.metadata, labels: { converted: "yes" } },
      }));
      const response = { uid: request.uid, convertedObjects, result: { status: "Success" } };
      return {
        status: 200,
        contentType: "application/json",
        body: Buffer.from(JSON.stringify({ apiVersion, kind, response })),
      };
    },
  } as unknown as WebhookClients;
  const webhook = { clientConfig: { url: "https://localhost" }, conversionReviewVersions: ["v1"] };
  const definition = { spec: { conversion: { strategy: "Webhook", webhook } } } as unknown as ApiObject;
  const convert = createConverter(clients, () => "uid")(definition);
  return { result: await convert(object as ApiObject, "example.com/v2"), calls };
}

const boat = { apiVersion: "example.com/v1", kind: "Boat" };

it("converts an object with the webhook", async () => {
  const metadata = { name: "a", uid: "1" };
  expect(await converted({ ...boat, metadata, spec: { size: 1 } })).toEqual({
    result: {
      ...{ apiVersion: "example.com/v2", kind: "Boat", spec: { size: 1 } },
      metadata: { ...metadata, labels: { converted: "yes" } },
    },
    calls: 1,
  });
});

// Server-side apply with another version removes all fields that the manager applied before, and converts the remaining
// object.
it("doesn't call the webhook for an object without content", async () => {
  expect(await converted(boat)).toEqual({ result: { ...boat, apiVersion: "example.com/v2" }, calls: 0 });
});

it("converts an object without metadata, and doesn't add metadata", async () => {
  expect(await converted({ ...boat, status: { ready: true } })).toEqual({
    result: { apiVersion: "example.com/v2", kind: "Boat", metadata: {}, status: { ready: true } },
    calls: 1,
  });
});
