import { describe, expectTypeOf, it } from "vitest";
import { TokenRequest } from "../api/authentication/v1.ts";
import { Scale } from "../api/autoscaling/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import { fakeClient } from "../testing/fake-client.ts";

// The compiler checks these functions; they aren't called.
describe("the type of a subresource's result", () => {
  const account = { apiVersion: "v1", kind: "ServiceAccount" };
  const client = fakeClient();

  it("is that of the subresource if it is known, whatever fields the body has", () => {
    const write = async () => {
      const { apiVersion, kind } = TokenRequest;
      const body = { apiVersion, kind, spec: { audiences: [] } };
      expectTypeOf(await client.subResource("token").create(account, body)).toEqualTypeOf<TokenRequest>();
      const scale = { apiVersion: Scale.apiVersion, kind: Scale.kind, spec: { replicas: 2 } };
      expectTypeOf(await client.subResource("scale").update(account, scale)).toEqualTypeOf<Scale>();
      expectTypeOf(await client.subResource("scale").get(account)).toEqualTypeOf<Scale>();
    };
    expectTypeOf(write).returns.resolves.toBeVoid();
  });

  it("is that of the body if the subresource is unknown", () => {
    interface Restart extends KubernetesObject {
      when: string;
    }
    const write = async (name: string, body: Restart) => {
      expectTypeOf(await client.subResource(name).create(account, body)).toEqualTypeOf<Restart>();
      expectTypeOf(await client.subResource(name).get<Restart>(account)).toEqualTypeOf<Restart>();
      const literal = await client.subResource("restart").create(account, { ...account, when: "now" });
      expectTypeOf(literal.when).toBeString();
    };
    expectTypeOf(write).returns.resolves.toBeVoid();
  });
});
