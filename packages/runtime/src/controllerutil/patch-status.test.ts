import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../api/index.ts";
import { groupVersion } from "../api/kind.ts";
import { interceptor } from "../client/wrappers/interceptor.ts";
import { isConflict } from "../errors/predicates.ts";
import { fakeClient } from "../testing/index.ts";
import { type StatusCondition, setStatusCondition } from "./conditions.ts";
import { patchStatus } from "./patch-status.ts";

interface Game {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string };
  spec: { level: number };
  status?: { phase?: string; score?: number; conditions?: StatusCondition[] };
}
const Game = groupVersion("example.com", "v1").kind<Game>("Game", { plural: "games", scope: "Namespaced" });
/** The type of a scaffolded kind: metadata is optional, because objects that aren't stored yet may lack it. */
interface Optional extends KubernetesObject {
  status?: { observedGeneration?: number };
}
const Optional = groupVersion("example.com", "v1").kind<Optional>("Game", { plural: "games", scope: "Namespaced" });
const key = { namespace: "ns", name: "g" };

function setUp(status?: Game["status"]) {
  const game: Game = { apiVersion: "example.com/v1", kind: "Game", metadata: key, spec: { level: 1 }, status };
  const sent: unknown[] = [];
  const client = interceptor.newClient(fakeClient({ objects: [game], statusSubresource: [Game] }), {
    subResourcePatch: (inner, name, object, patch, options) => {
      sent.push({ name, ...(patch.data(object) as object) });
      return inner.subResource(name).patch(object, patch, options);
    },
  });
  return { client, sent };
}

describe("patchStatus", () => {
  it("sends only differences, and doesn't change the given object", async () => {
    const { client, sent } = setUp({ phase: "New", score: 3 });
    const game = await client.get(Game, key);
    const stored = await patchStatus(client, game, (copy) => {
      copy.status = { ...copy.status, phase: "Running" };
    });
    expect(sent).toEqual([{ name: "status", status: { phase: "Running" } }]);
    expect(stored.status).toEqual({ phase: "Running", score: 3 });
    expect(stored.metadata.resourceVersion).not.toBe(game.metadata.resourceVersion);
    expect(game.status).toEqual({ phase: "New", score: 3 });
  });

  it("returns a copy of the stored object, whose type has metadata", async () => {
    const { client } = setUp();
    const game = await client.get(Optional, key);
    const stored = await patchStatus(client, game, (copy) => {
      copy.status = { observedGeneration: copy.metadata.generation };
    });
    expect(stored.status).toEqual({ observedGeneration: game.metadata.generation });
  });

  it("sends nothing without a difference, and returns the given object", async () => {
    const { client, sent } = setUp({ phase: "New" });
    const game = await client.get(Game, key);
    expect(await patchStatus(client, game, (copy) => void setPhase(copy, "New"))).toBe(game);
    const { client: other } = setUp();
    const bare = await other.get(Game, key);
    // An empty status equals a missing status.
    expect(await patchStatus(other, bare, (copy) => Object.assign(copy, { status: {} }) && undefined)).toBe(bare);
    expect(sent).toEqual([]);
  });

  it("replaces lists only if the object is unchanged on the server", async () => {
    const { client, sent } = setUp();
    const before = await client.get(Game, key);
    const condition = (type: string) => ({ type, status: "True", reason: "Yes" }) as const;
    await patchStatus(client, before, (copy) => void setStatusCondition(copy, condition("Ready")));
    expect(sent).toHaveLength(1);
    const late = patchStatus(client, before, (copy) => void setStatusCondition(copy, condition("Available")));
    await expect(late).rejects.toSatisfy(isConflict);
    const { status } = await client.get(Game, key);
    expect(status?.conditions?.map(({ type }) => type)).toEqual(["Ready"]);
    // A merge patch keeps fields that aren't lists, so that no change of others is lost.
    await patchStatus(client, before, (copy) => void setPhase(copy, "Running"));
    expect((await client.get(Game, key)).status).toMatchObject({ phase: "Running", conditions: [{ type: "Ready" }] });
  });

  it("rejects changes outside of the status, which the server would drop", async () => {
    const { client } = setUp();
    const game = await client.get(Game, key);
    const change = patchStatus(client, game, (copy) => {
      copy.spec.level = 2;
    });
    await expect(change).rejects.toThrow("patchStatus of Game g: the function must change only the status");
  });
});

function setPhase(game: Game, phase: string): void {
  game.status = { ...game.status, phase };
}
