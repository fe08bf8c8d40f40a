// `npm run typecheck` compiles this file. Lines that must not compile are marked with @ts-expect-error.
import { describe, expect, expectTypeOf, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { ConfigMap, Pod } from "../api/core/v1.ts";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
import { newControllerManagedBy } from "../builder/builder.ts";
import { enqueueRequestsFromMapFunc } from "../handler/map-func.ts";
import type { Manager } from "../manager/manager.ts";
import { newPredicateFuncs } from "../predicate/predicate.ts";
import { fakeClient } from "../testing/fake-client.ts";
import type { Client, List, Reader, ReadOptions, Stored } from "./client.ts";
import { extractApply } from "./extract-apply.ts";
import type { ApplyConfiguration, MetadataOnly, Named } from "./object-types.ts";
import { listPages } from "./pages.ts";
import { withFieldOwner } from "./wrappers/with-options.ts";

interface Game extends KubernetesObject {
  spec: {
    replicas: number;
    title?: string;
    ports?: { name: string; number: number }[];
    limits?: Record<string, string>;
  };
  status?: { phase?: "Ready" | "Lost" };
}
const Game: Kind<Game> = groupVersion("shop.example.com", "v1").kind<Game>("Game", {
  plural: "games",
  scope: "Namespaced",
});
const metadata = { name: "sample", namespace: "default" };
const key = metadata;
const owner = { fieldOwner: "tests" };

/** The compiler checks the function; it isn't called. */
function compiled(_code: (client: Client, mgr: Manager) => unknown): void {}

describe("core types", () => {
  it("have literal types for apiVersion and kind", () => {
    expectTypeOf<Deployment["apiVersion"]>().toEqualTypeOf<"apps/v1">();
    expectTypeOf(Deployment.kind).toEqualTypeOf<"Deployment">();
    expectTypeOf(Pod.apiVersion).toEqualTypeOf<"v1">();
    const pod: Pod = { apiVersion: Pod.apiVersion, kind: Pod.kind, spec: { containers: [] } };
    expect(pod).toMatchObject({ apiVersion: "v1", kind: "Pod" });
    // @ts-expect-error: a Pod isn't of apps/v1
    const wrong: Pod = { apiVersion: "apps/v1", kind: "Pod" };
    // @ts-expect-error: a Deployment isn't a Pod
    const other: Pod = { apiVersion: "v1", kind: "Deployment" };
    expect([wrong, other]).toHaveLength(2);
  });

  it("distinguish objects of several kinds", () => {
    const replicasOf = (object: Deployment | Pod): number =>
      object.kind === "Deployment" ? (object.spec?.replicas ?? 1) : (object.spec?.containers.length ?? 0);
    expect(replicasOf({ apiVersion: "v1", kind: "Pod", spec: { containers: [] } })).toBe(0);
  });
});

describe("create(Kind, body)", () => {
  it("sets apiVersion and kind", async () => {
    const client = fakeClient();
    const stored = await client.create(Game, { metadata, spec: { replicas: 1 } });
    expectTypeOf(stored).toEqualTypeOf<Stored<Game>>();
    expect(stored).toMatchObject({ apiVersion: "shop.example.com/v1", kind: "Game", spec: { replicas: 1 } });
    const body = { metadata: { name: "settings", namespace: "default" }, data: { a: "b" } };
    expect(await client.create(ConfigMap, body)).toMatchObject({
      apiVersion: "v1",
      kind: "ConfigMap",
      data: { a: "b" },
    });
    expect(body).toEqual({ metadata: { name: "settings", namespace: "default" }, data: { a: "b" } });
  });

  it("passes the options on through all wrappers", async () => {
    const client = withFieldOwner(fakeClient(), "tests");
    const options = { dryRun: true };
    await client.create(Game, { metadata, spec: { replicas: 1 } }, options);
    expect((await client.list(Game)).items).toEqual([]);
  });

  it("rejects an object of another kind, and a missing object", async () => {
    const client = fakeClient();
    const pod = { ...Pod, metadata };
    await expect(client.create(Game as Kind, { apiVersion: "v1", kind: "Pod", metadata })).rejects.toThrow(
      "Game of shop.example.com/v1: the object is a Pod of v1",
    );
    // @ts-expect-error: the fields of a kind aren't those of its objects
    await expect(client.create(pod)).rejects.toThrow();
    // @ts-expect-error: a kind without a body
    await expect(client.create(Game)).rejects.toThrow("Game: the object is missing");
  });

  it("rejects fields that the kind doesn't have", () => {
    compiled((client) => [
      // @ts-expect-error: a misspelled field
      client.create(Game, { metadata, spec: { replcas: 1 } }),
      // @ts-expect-error: a misspelled field in addition to the required one
      client.create(Game, { metadata, spec: { replicas: 1, replcas: 2 } }),
      // @ts-expect-error: a misspelled field at the top level
      client.create(ConfigMap, { metadata, dta: {} }),
      // @ts-expect-error: spec is required
      client.create(Game, { metadata }),
      // @ts-expect-error: an object of another kind
      client.create(ConfigMap, { kind: "Secret", metadata }),
      client.create(Game, { kind: "Game", metadata, spec: { replicas: 1 } }, { dryRun: true }),
      // @ts-expect-error: a misspelled option
      client.create(Game, { metadata, spec: { replicas: 1 } }, { dryrun: true }),
    ]);
  });
});

describe("metadataOnly: true", () => {
  it("returns objects without spec and status", () => {
    compiled(async (client, mgr) => {
      const options = { metadataOnly: true } as const;
      expectTypeOf(await client.get(Game, key)).toEqualTypeOf<Stored<Game>>();
      expectTypeOf(await client.get(Game, key, { metadataOnly: false })).toEqualTypeOf<Stored<Game>>();
      expectTypeOf(await client.get(Game, key, { metadataOnly: true })).toEqualTypeOf<Stored<MetadataOnly<Game>>>();
      expectTypeOf(await client.list(Game, options)).toEqualTypeOf<List<MetadataOnly<Game>>>();
      expectTypeOf((await client.get(Pod, key, options)).kind).toEqualTypeOf<"Pod">();
      const reader: Reader = mgr.apiReader;
      for await (const { items } of listPages(reader, Game, options)) {
        expectTypeOf(items).toEqualTypeOf<Stored<MetadataOnly<Game>>[]>();
      }
      for await (const { items } of listPages(reader, Game)) expectTypeOf(items).toEqualTypeOf<Stored<Game>[]>();
      // @ts-expect-error: spec doesn't exist
      (await client.get(Game, key, options)).spec;
    });
  });

  it("returns objects without spec and status if its value is unknown to the compiler", () => {
    compiled(async (client) => {
      const read = async (options: ReadOptions) => client.get(Game, key, options);
      expectTypeOf(read).returns.resolves.toEqualTypeOf<Stored<MetadataOnly<Game>>>();
    });
  });

  it("passes objects without spec and status to handlers and predicates", () => {
    compiled((_client, mgr) => {
      const builder = newControllerManagedBy(mgr);
      const none: [] = [];
      const whole = enqueueRequestsFromMapFunc<Game>((_ctx, { spec }) => (spec.title ? none : none));
      builder.watches(Game, whole).watches(
        Game,
        enqueueRequestsFromMapFunc((_ctx, { spec }) => (spec.title ? none : none)),
      );
      builder.watchesMetadata(
        Game,
        enqueueRequestsFromMapFunc((_ctx, game) => {
          expectTypeOf(game).toEqualTypeOf<Named<MetadataOnly<Game>>>();
          return none;
        }),
        {
          // @ts-expect-error: spec doesn't exist
          predicates: [newPredicateFuncs((game) => game.spec.replicas > 0)],
        },
      );
      expectTypeOf(mgr.cache.inform(Game, { metadataOnly: true }).store.values()).toExtend<
        Iterable<MetadataOnly<Game>>
      >();
    });
  });
});

describe("ApplyConfiguration", () => {
  const identity = { apiVersion: "shop.example.com/v1", kind: "Game" };

  it("is partial at any depth, with apiVersion, kind and name", () => {
    const nothing: ApplyConfiguration<Game> = { ...identity, metadata };
    const some: ApplyConfiguration<Game> = {
      ...identity,
      metadata,
      spec: { ports: [{ name: "http" }], limits: { cpu: "1" } },
    };
    const deployment: ApplyConfiguration<Deployment> = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: { template: { spec: { containers: [{ name: "game", resources: { limits: { cpu: 1 } } }] } } },
    };
    // @ts-expect-error: a misspelled field
    const misspelt: ApplyConfiguration<Game> = { ...identity, metadata, spec: { replcas: 1 } };
    // @ts-expect-error: the name is missing
    const nameless: ApplyConfiguration<Game> = { ...identity, metadata: { namespace: "default" }, spec: {} };
    // @ts-expect-error: the kind is missing
    const kindless: ApplyConfiguration<Game> = { apiVersion: "shop.example.com/v1", metadata };
    // @ts-expect-error: an object of another kind
    const other: ApplyConfiguration<Deployment> = { apiVersion: "v1", kind: "Deployment", metadata };
    // @ts-expect-error: a value of the wrong type
    const wrong: ApplyConfiguration<Game> = { ...identity, metadata, status: { phase: "Away" } };
    expect([nothing, some, deployment, misspelt, nameless, kindless, other, wrong]).toHaveLength(8);
  });

  it("is the parameter of apply, whose result has the type of the object", () => {
    compiled(async (client) => {
      const config: ApplyConfiguration<Game> = { ...identity, metadata, spec: { title: "Chess" } };
      expectTypeOf(await client.apply(config, owner)).toEqualTypeOf<Stored<Game>>();
      expectTypeOf(await client.status.apply(config, owner)).toEqualTypeOf<Stored<Game>>();
      expectTypeOf(await withFieldOwner(client, "tests").apply(config)).toEqualTypeOf<Stored<Game>>();
      expectTypeOf(await withFieldOwner(client, "tests").status.apply(config)).toEqualTypeOf<Stored<Game>>();
      const applied = await client.apply<Game>({ ...identity, metadata, spec: { title: "Chess" } }, owner);
      expectTypeOf(applied).toEqualTypeOf<Stored<Game>>();
      // @ts-expect-error: a misspelled field
      await client.apply<Game>({ ...identity, metadata, spec: { replcas: 1 } }, owner);
    });
  });

  it("isn't required for objects of other types", () => {
    compiled(async (client) => {
      const game = await client.get(Game, key);
      expectTypeOf(await client.apply(game, owner)).toExtend<Stored<Game>>();
      const whole: Game = { ...identity, metadata, spec: { replicas: 1 } };
      expectTypeOf(await client.apply(whole, owner)).toEqualTypeOf<Stored<Game>>();
      const literal = await client.apply({ ...identity, metadata, data: { a: 1 } }, owner);
      expectTypeOf(literal.data.a).toBeNumber();
    });
  });

  it("is the result of extractApply", () => {
    compiled(async (client) => {
      const extracted = extractApply(await client.get(Game, key), "tests");
      expectTypeOf(extracted).toEqualTypeOf<ApplyConfiguration<Game>>();
      expectTypeOf(await client.apply(extracted, owner)).toEqualTypeOf<Stored<Game>>();
    });
  });
});
