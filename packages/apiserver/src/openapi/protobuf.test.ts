import { BinaryReader } from "@bufbuild/protobuf/wire";
import { expect, it, onTestFinished } from "vitest";
import { startApiServer } from "../server/server.ts";
import { encodeOpenApi } from "./protobuf.ts";
import { encodeOpenApi3 } from "./protobuf3.ts";

/** Reads a message: the values of its fields by number, messages as bytes. */
function fields(bytes: Uint8Array): Map<number, (Uint8Array | number)[]> {
  const reader = new BinaryReader(bytes);
  const values = new Map<number, (Uint8Array | number)[]>();
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const value = wire === 0 ? reader.uint32() : wire === 1 ? reader.double() : reader.bytes();
    values.set(number, [...(values.get(number) ?? []), value]);
  }
  return values;
}

const at = (bytes: Uint8Array, ...path: number[]): Uint8Array =>
  path.reduce((inner, number) => fields(inner).get(number)?.[0] as Uint8Array, bytes);
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

it("encodes definitions with their properties, references and extensions", () => {
  const bytes = encodeOpenApi({
    swagger: "2.0",
    definitions: {
      A: {
        type: "object",
        required: ["b"],
        properties: { b: { type: "array", items: { $ref: "#/definitions/B" } }, c: { maximum: 2.5, enum: ["x"] } },
        additionalProperties: { type: "string" },
        "x-kubernetes-group-version-kind": [{ group: "g", version: "v1", kind: "A" }],
      },
    },
  });
  expect(text(at(bytes, 1))).toBe("2.0");
  const named = at(bytes, 9, 1);
  expect(text(at(named, 1))).toBe("A");
  const schema = at(named, 2);
  expect(text(at(schema, 22, 1))).toBe("object");
  expect(text(at(schema, 19))).toBe("b");
  const [b, c] = (fields(at(schema, 25)).get(1) as Uint8Array[]).map((one) => at(one, 2)) as [Uint8Array, Uint8Array];
  expect(text(at(b, 23, 1, 1))).toBe("#/definitions/B");
  expect(fields(c).get(7)).toEqual([2.5]);
  expect(text(at(c, 20, 2))).toBe("x\n");
  expect(text(at(schema, 21, 1, 22, 1))).toBe("string");
  expect(text(at(schema, 31, 1))).toBe("x-kubernetes-group-version-kind");
  expect(text(at(schema, 31, 2, 2))).toBe("- group: g\n  version: v1\n  kind: A\n");
});

it("encodes operations with their parameters and responses", () => {
  const query = { in: "query", name: "dryRun", type: "string", uniqueItems: true };
  const bytes = encodeOpenApi({
    paths: {
      "/a": {
        parameters: [{ $ref: "#/parameters/p" }],
        patch: { operationId: "o", parameters: [query], responses: { "200": { description: "OK", schema: {} } } },
      },
    },
  });
  const item = at(bytes, 8, 2, 2);
  expect(text(at(item, 9, 2, 1))).toBe("#/parameters/p");
  const operation = at(item, 8);
  expect(text(at(operation, 5))).toBe("o");
  const parameter = at(operation, 8, 1, 2, 3);
  expect([text(at(parameter, 2)), text(at(parameter, 4)), fields(parameter).get(20)]).toEqual(["query", "dryRun", [1]]);
  expect(text(at(operation, 9, 1, 1))).toBe("200");
  expect(text(at(operation, 9, 1, 2, 1, 1))).toBe("OK");
});

it("is the response if kubectl requests it", async () => {
  const server = await startApiServer({ http: false });
  for (const name of ["spec.v2@v1.0+protobuf", "spec.v2.v1.0+protobuf"]) {
    const headers = { accept: `application/com.github.proto-openapi.${name}` };
    const answer = await server.handle({ method: "GET", url: "/openapi/v2", headers });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    expect(fields(answer.body as Uint8Array).has(9)).toBe(true);
  }
  await server.stop();
});

it("encodes references and defaults of a version 3 document, without zero values", () => {
  const bytes = encodeOpenApi3({
    openapi: "3.0.0",
    paths: { "/a": { get: { operationId: "readA", responses: { "200": { description: "OK" } } } } },
    components: {
      schemas: {
        A: {
          type: "object",
          minProperties: 0,
          properties: {
            b: { allOf: [{ $ref: "#/components/schemas/B" }], default: {} },
            c: { type: "boolean", default: false },
          },
          additionalProperties: false,
          "x-kubernetes-map-type": "atomic",
        },
      },
    },
  });
  expect(text(at(bytes, 1))).toBe("3.0.0");
  const path = at(bytes, 4, 1);
  expect(text(at(path, 1))).toBe("/a");
  expect(text(at(path, 2, 4, 5))).toBe("readA");
  expect(text(at(path, 2, 4, 8, 2, 2, 1, 1))).toBe("OK");
  const schema = at(bytes, 5, 1, 1, 2, 1);
  expect(text(at(schema, 25))).toBe("object");
  expect(fields(schema).has(22)).toBe(false);
  const [b, c] = (fields(at(schema, 31)).get(1) as Uint8Array[]).map((one) => at(one, 2, 1)) as [
    Uint8Array,
    Uint8Array,
  ];
  expect(text(at(b, 26, 2, 1))).toBe("#/components/schemas/B");
  expect(at(b, 33)).toHaveLength(0);
  expect(fields(at(c, 33)).get(2)).toEqual([0]);
  expect(fields(at(schema, 32)).get(2)).toEqual([0]);
  expect(text(at(schema, 36, 1))).toBe("x-kubernetes-map-type");
});

it("is the response to requests for OpenAPI v3 and aggregated discovery in protobuf", async () => {
  const server = await startApiServer({ http: false });
  onTestFinished(() => server.stop());
  const ask = async (url: string, accept: string) => {
    const { status, headers, body } = await server.handle({ method: "GET", url, headers: { accept } });
    return { status, type: headers["content-type"], body: body as Uint8Array };
  };
  const type = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
  const document = await ask("/openapi/v3/apis/apps/v1", type);
  expect(document).toMatchObject({ status: 200, type });
  expect(text(at(document.body, 1))).toBe("3.0.0");
  const aggregated = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  for (const media of ["application/vnd.kubernetes.protobuf", "application/json", "application/yaml"]) {
    const range = `${media};${aggregated}`;
    expect(await ask("/apis", range)).toMatchObject({ status: 200, type: range });
  }
  const { body } = await ask("/api", `application/vnd.kubernetes.protobuf;${aggregated}`);
  const core = at(body.subarray(4), 2, 2);
  expect(text(at(core, 2, 1))).toBe("v1");
  expect(text(at(core, 2, 2, 1))).toBe("bindings");
  const old = `application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList`;
  expect(await ask("/apis", old)).toMatchObject({ status: 406 });
});
