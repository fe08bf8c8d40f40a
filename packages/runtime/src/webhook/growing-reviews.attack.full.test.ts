// Whole reviews of any size over a connection: reading, handling and answering them takes linear time.
import { afterAll, beforeAll, describe, it } from "vitest";
import { expectLinearBetween } from "../../../../scripts/test-support/growth.ts";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
import { ApiError } from "../errors/api-error.ts";
import { defaulterHandler } from "./admission/defaulting.ts";
import { allowed } from "./admission/response.ts";
import { json, send, startServer, type TestServer } from "./server.fixture.ts";

interface Thing extends KubernetesObject {
  spec?: unknown;
}
const thing = (version: string): Kind<Thing> => groupVersion("things.example.com", version).kind<Thing>("Thing");
const v1 = thing("v1");

/** Changes each string, number and list of a value. */
function changed(value: unknown): unknown {
  if (typeof value === "string") return `${value} `;
  if (typeof value === "number") return value + 1;
  if (Array.isArray(value)) return [...value.map(changed), 1];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner)]));
}

const many = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));
const fields = (size: number, make: (index: number) => unknown): object =>
  Object.fromEntries(many(size, (index) => [`f~/${index}`, make(index)]));
function nested(depth: number, wrap: (value: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

const [small, large] = [2000, 16_000];
/** Bodies may have 1,000 levels. */
const levels = [100, 900] as const;
const shapes: Record<string, { make(size: number): unknown; sizes?: readonly [number, number] }> = {
  fields: { make: (size) => fields(size, () => "v") },
  items: { make: (size) => many(size, (index) => ({ name: `n${index}`, value: index })) },
  "lists of lists": { make: (size) => many(size, () => [[1], [2]]) },
  "a long text": { make: (size) => "text ".repeat(size * 10) },
  "escaped texts": { make: (size) => many(size, () => '\\"\u0001\ud83d\ude00<&>') },
  "long integers": { make: (size) => many(size, (index) => BigInt(index) + 2n ** 60n) },
  "nested lists": { make: (size) => nested(size, (value) => [value, 1]), sizes: levels },
  "nested objects": { make: (size) => nested(size, (value) => ({ a: value, b: "c" })), sizes: levels },
};

/** Encodes a value with integers of 64 bits. */
const encode = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? `#${inner}` : inner)).replace(/"#(\d+)"/g, "$1");

let server: TestServer;

beforeAll(async () => {
  server = await startServer((webhooks) => {
    webhooks.register(
      "/default",
      defaulterHandler(v1, {
        default: (_ctx, object) => {
          object.spec = changed(object.spec);
        },
      }),
    );
    webhooks.register("/validate", {
      handle: (_ctx, { object }) => {
        const { spec } = object as unknown as Thing;
        const parts = Object.keys(typeof spec === "object" && spec !== null ? spec : {});
        throw ApiError.invalid(
          v1,
          "a",
          parts.map((field) => ({ field: `spec.${field}`, reason: "FieldValueInvalid", message: "is wrong" })),
        );
      },
    });
    webhooks.register("/warn", {
      handle: (_ctx, { object }) => ({ ...allowed(), warnings: Object.keys((object as unknown as Thing).spec ?? {}) }),
    });
    webhooks.registerConverter(v1, {
      hub: thing("v2"),
      spokes: [
        {
          kind: v1,
          toHub: (object: Thing) => ({ ...object, spec: changed(object.spec) }),
          fromHub: (object: Thing) => object,
        },
      ],
    } as never);
  });
});
afterAll(() => server.stop());

const object = (spec: unknown, metadata: object = {}): object => ({
  apiVersion: "things.example.com/v1",
  kind: "Thing",
  metadata: { name: "a", namespace: "default", ...metadata },
  spec,
});

const admission = (request: object): string =>
  encode({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "u",
      kind: { group: "things.example.com", version: "v1", kind: "Thing" },
      resource: { group: "things.example.com", version: "v1", resource: "things" },
      operation: "CREATE",
      userInfo: { username: "user" },
      ...request,
    },
  });

const conversion = (objects: readonly object[]): string =>
  encode({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid: "u", desiredAPIVersion: "things.example.com/v2", objects },
  });

/** Sends a body, which must be understood. */
async function post(path: string, body: string): Promise<void> {
  const { status, text } = await send(server.port, { path, headers: json }, body);
  if (status !== 200 || !text.includes('"uid":"u"')) throw new Error(`status ${status}: ${text.slice(0, 200)}`);
}

const expectLinear = (
  path: string,
  body: (size: number) => string,
  sizes: readonly [number, number] = [small, large],
) =>
  expectLinearBetween(async (size) => {
    const text = body(size);
    return () => post(path, text);
  }, sizes);

describe.each(Object.entries(shapes))("%s", (_, { make, sizes }) => {
  it.each([
    ["defaulted", "/default", (size: number) => admission({ object: object(make(size)) })],
    ["validated", "/validate", (size: number) => admission({ object: object(make(size)) })],
    ["allowed with warnings", "/warn", (size: number) => admission({ object: object(make(size)) })],
    [
      "updated",
      "/default",
      (size: number) => admission({ operation: "UPDATE", object: object(make(size)), oldObject: object(make(size)) }),
    ],
    ["converted", "/convert", (size: number) => conversion([object(make(size))])],
  ] as const)("are %s in linear time", async (_name, path, body) => {
    await expectLinear(path, body, sizes);
  });
});

it.each<[string, string, (size: number) => string]>([
  ["many objects are converted", "/convert", (size) => conversion(many(size, () => object({ a: 1 })))],
  [
    "many objects of an unknown kind are refused",
    "/convert",
    (size) => conversion(many(size, () => ({ ...object({}), kind: "Other" }))),
  ],
  [
    "a user with many groups",
    "/warn",
    (size) =>
      admission({ object: object({}), userInfo: { groups: many(size, String), extra: fields(size, () => ["e"]) } }),
  ],
  ["many labels", "/default", (size) => admission({ object: object({}, { labels: fields(size, () => "v") }) })],
  ["options with many fields", "/warn", (size) => admission({ object: object({}), options: fields(size, () => 1) })],
])("%s in linear time", async (_, path, body) => {
  await expectLinear(path, body);
});
