import { describe, expectTypeOf, it } from "vitest";
import { TokenRequest } from "../api/authentication/v1.ts";
import { Scale } from "../api/autoscaling/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import { fakeClient } from "../testing/fake-client.ts";

// Compiled, not run.
describe("the type of a subresource", () => {
  const account = { apiVersion: "v1", kind: "ServiceAccount" };
  const client = fakeClient();

  it("is that of what it holds, whatever is left out of the body", () => {
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

  it("is that of the body where nobody knows what it holds", () => {
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
