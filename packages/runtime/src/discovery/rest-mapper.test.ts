import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { ApiError } from "../errors/api-error.ts";
import { isNoMatch, NoMatchError } from "../errors/no-match-error.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import { createRestMapper } from "./rest-mapper.ts";

/** Returns a transport that responds from a table of paths, or with 404. */
function server(table: Record<string, unknown>): { transport: Transport; asked: string[] } {
  const asked: string[] = [];
  const transport = {
    async request({ path }: TransportRequest) {
      asked.push(path);
      const body = table[path];
      if (body instanceof Error) throw body;
      if (body === undefined)
        throw ApiError.create(404, "NotFound", "the server could not find the requested resource");
      return { status: 200, headers: {}, body };
    },
  } as unknown as Transport;
  return { transport, asked };
}

const apps = {
  kind: "APIResourceList",
  resources: [
    { name: "deployments", kind: "Deployment", namespaced: true },
    // The first resource of a kind is the one that stores its objects.
    { name: "deploymentz", kind: "Deployment", namespaced: false },
  ],
};
const core = {
  kind: "APIResourceList",
  resources: [
    { name: "pods", kind: "Pod", namespaced: true },
    { name: "pods/eviction", kind: "Eviction", namespaced: true },
    { name: "nodes", kind: "Node", namespaced: false },
  ],
};
const games = { kind: "APIResourceList", resources: [{ name: "games", kind: "Game", namespaced: true }] };

describe("the REST mapper", () => {
  it("requests nothing until it is used, and then each group and version once", async () => {
    const { transport, asked } = server({ "/apis/apps/v1": apps, "/api/v1": core });
    const mapper = createRestMapper(transport);
    expect(asked).toEqual([]);
    const both = await Promise.all([
      mapper.mapping("apps", "v1", "Deployment"),
      mapper.mapping("apps", "v1", "Deployment"),
    ]);
    expect(both).toEqual([
      { plural: "deployments", namespaced: true },
      { plural: "deployments", namespaced: true },
    ]);
    expect(await mapper.mapping("", "v1", "Node")).toEqual({ plural: "nodes", namespaced: false });
    expect(await mapper.mapping("", "v1", "Pod")).toEqual({ plural: "pods", namespaced: true });
    expect(asked).toEqual(["/apis/apps/v1", "/api/v1"]);
  });

  it("requests a group and version again if the kind was missing", async () => {
    const table: Record<string, unknown> = {};
    const { transport, asked } = server(table);
    const mapper = createRestMapper(transport);
    const error = (await mapper.mapping("myapp.io", "v1", "Game").catch((caught: unknown) => caught)) as NoMatchError;
    expect(error).toBeInstanceOf(NoMatchError);
    expect(isNoMatch(error)).toBe(true);
    expect(error.message).toBe(
      'no matches for kind "Game" in version "myapp.io/v1": is its CustomResourceDefinition installed?',
    );
    table["/apis/myapp.io/v1"] = games;
    expect(await mapper.mapping("myapp.io", "v1", "Game")).toEqual({ plural: "games", namespaced: true });
    expect(await mapper.mapping("myapp.io", "v1", "Game")).toEqual({ plural: "games", namespaced: true });
    expect(asked).toEqual(["/apis/myapp.io/v1", "/apis/myapp.io/v1"]);
  });

  it("requests a missing kind ten times immediately, then once per second, for all callers together", async () => {
    const clock = new VirtualClock();
    const table: Record<string, unknown> = {};
    const { transport, asked } = server(table);
    const mapper = createRestMapper(transport, clock);
    const ask = () => mapper.mapping("myapp.io", "v1", "Game");
    for (let round = 0; round < 10; round++) await expect(ask()).rejects.toSatisfy(isNoMatch);
    expect(asked).toHaveLength(10);
    const waiting = Promise.all([ask(), ask(), ask()]);
    await clock.advance(999);
    expect(asked).toHaveLength(10);
    table["/apis/myapp.io/v1"] = games;
    await clock.advance(1);
    expect(await waiting).toHaveLength(3);
    expect(asked).toHaveLength(11);
  });

  it("doesn't map a subresource to a kind", async () => {
    const { transport } = server({ "/api/v1": core });
    await expect(createRestMapper(transport).mapping("", "v1", "Eviction")).rejects.toThrow(
      'no matches for kind "Eviction" in version "v1"',
    );
  });

  it("rejects with the error of a failed request, and requests again next time", async () => {
    const table: Record<string, unknown> = { "/apis/apps/v1": ApiError.create(503, "ServiceUnavailable", "starting") };
    const { transport } = server(table);
    const mapper = createRestMapper(transport);
    await expect(mapper.mapping("apps", "v1", "Deployment")).rejects.toThrow("starting");
    table["/apis/apps/v1"] = apps;
    expect(await mapper.mapping("apps", "v1", "Deployment")).toEqual({ plural: "deployments", namespaced: true });
    await expect(
      createRestMapper(server({ "/apis/apps/v1": {} }).transport).mapping("apps", "v1", "X"),
    ).rejects.toThrow("isn't an APIResourceList");
  });
});
