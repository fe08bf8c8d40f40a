import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InspectMessage } from "@kubewright/dashboard/protocol";
import { expect, it, onTestFinished } from "vitest";
import type { KubeClient, KubeObject } from "../client/kube-client.ts";
import { ObjectStore } from "../store/objects.ts";
import { Records } from "../store/records.ts";
import { SessionEvents } from "../store/session-events.ts";
import { SessionHistory } from "./session-history.ts";

type Item = { readonly type: string; readonly object: KubeObject };

const game = (resourceVersion: string, replicas: number, manager = "kubectl-create"): KubeObject =>
  ({
    apiVersion: "example.com/v1",
    kind: "Game",
    metadata: {
      ...{ name: "chess", namespace: "default", uid: "uid-chess", resourceVersion },
      creationTimestamp: "2026-01-01T00:00:00Z",
      managedFields: [{ manager, operation: "Update", time: "2026-01-01T00:00:00Z", fieldsV1: { "f:spec": {} } }],
    },
    spec: { replicas },
  }) as never;

const reconcile = {
  ...{ id: "1", controller: "game", time: "2026-01-01T00:00:01.000Z", durationMs: 1, error: null, pid: 1 },
  object: { apiVersion: "example.com/v1", kind: "Game", namespace: "default", name: "chess" },
  ...{ reasons: [], reads: [], calls: [], logs: [], steps: ["write"], result: { requeueAfter: 0 } },
  writes: [
    {
      verb: "apply",
      apiVersion: "example.com/v2",
      kind: "Board",
      name: "b",
      diff: "+ a\n",
      error: null,
      durationMs: 1,
    },
  ],
} as const;

/** Runs a session whose cluster has objects, sends changes, and returns what it shows at its end. */
async function session(
  directory: string,
  { uid = "cluster-1", listed = [] as KubeObject[], sent = [] as Item[], messages = [] as unknown[] },
) {
  const stop = new AbortController();
  const records = new Records();
  const watched: string[] = [];
  let followed: () => void = () => undefined;
  const follows = new Promise<void>((resolve) => {
    followed = resolve;
  });
  async function* stream(kind: string) {
    if (kind === "games") {
      yield* sent;
      followed();
    }
    await new Promise((end) => stop.signal.addEventListener("abort", end, { once: true }));
  }
  const client = {
    resourceOf: async (apiVersion: string, kind: string) => {
      watched.push(kind);
      const [group, version] = apiVersion.split("/");
      return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: true };
    },
    request: async ({ path }: { path: string }) => {
      if (!path.endsWith("/kube-system")) return { items: path.endsWith("/games") ? listed : [], metadata: {} };
      if (uid === "") throw new Error("forbidden");
      return { metadata: { uid } };
    },
    stream: async ({ path }: { path: string }) => stream(path.split("/").at(-1) ?? ""),
  } as unknown as KubeClient;
  const objects = new ObjectStore(client, stop.signal, "game-operator");
  objects.setOwn("example.com/v1", "Game");
  const notes: string[] = [];
  const events = new SessionEvents();
  events.on("event", (event) => event.event === "note" && notes.push(event.message));
  const history = new SessionHistory(
    {
      ...{ client, records, options: { engine: "embedded" } },
      paths: { history: (engine) => join(directory, `history-${engine}.jsonl`) },
      events,
    },
    objects,
  );
  await history.restore();
  objects.watch("example.com/v1", "Game", true);
  await follows;
  for (const message of messages) events.send("message", message as InspectMessage);
  await history.close();
  stop.abort();
  return { objects, records, watched, notes, chess: objects.find({ kind: "Game", name: "chess" }) };
}

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "session-history-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

it("the next session shows the changes, their authors and the reconciles of the one before", async () => {
  const directory = temporary();
  const sent = [
    { type: "ADDED", object: game("1", 1) },
    { type: "MODIFIED", object: game("2", 2, "kubectl-edit") },
  ];
  const first = await session(directory, { sent, messages: [{ type: "reconcile", reconcile }] });
  const expected = [
    { type: "added", by: "kubectl-create" },
    { type: "modified", by: "kubectl-edit", changed: ["spec.replicas"] },
  ];
  expect(first.chess?.revisions).toMatchObject(expected);
  // The entries of managed fields now name only the operator.
  const next = await session(directory, { listed: [game("2", 2, "game-operator")] });
  expect(next.chess).toEqual({ ...first.chess, object: expect.anything(), resource: expect.anything() });
  expect(next.chess?.isGone).toBe(false);
  expect(next.records.reconciles({ kind: "Game", name: "chess" }, 10)).toEqual([reconcile]);
  // Objects that the operator wrote without owning them stay in the tree.
  expect(next.watched).toContain("Board");
  expect(next.notes).toEqual([]);
});

it("a change that no session saw is in the timeline, with its author", async () => {
  const directory = temporary();
  await session(directory, { sent: [{ type: "ADDED", object: game("1", 1) }] });
  const next = await session(directory, { listed: [game("7", 3, "argocd")] });
  expect(next.chess?.revisions).toMatchObject([
    { type: "added", by: "kubectl-create" },
    { type: "modified", by: "argocd", resourceVersion: "7", changed: [] },
  ]);
});

it("deleted objects keep their history", async () => {
  const directory = temporary();
  const sent = ["ADDED", "DELETED"].map((type) => ({ type, object: game("1", 1) }));
  await session(directory, { sent });
  const next = await session(directory, {});
  expect(next.chess).toMatchObject({ isGone: true, revisions: [{ type: "added" }, { type: "deleted" }] });
  expect(next.objects.deleted({})).toMatchObject([{ kind: "Game", name: "chess" }]);
});

it("another cluster doesn't get the history, and one without permission keeps none", async () => {
  const directory = temporary();
  await session(directory, {
    sent: [{ type: "ADDED", object: game("1", 1) }],
    messages: [{ type: "reconcile", reconcile }],
  });
  const other = await session(directory, { uid: "cluster-2" });
  expect([other.chess, other.records.reconciles({}, 10)]).toEqual([undefined, []]);
  const empty = temporary();
  const refused = await session(empty, { uid: "", sent: [{ type: "ADDED", object: game("1", 1) }] });
  expect(refused.chess?.revisions).toHaveLength(1);
  expect(existsSync(join(empty, "history-embedded.jsonl"))).toBe(false);
});

it("the objects of a large cluster keep their history, beyond the number of deleted ones", async () => {
  const directory = temporary();
  const named = (index: number) => {
    const { metadata, ...rest } = game(String(index + 1), 1);
    return { ...rest, metadata: { ...metadata, name: `g-${index}`, uid: `uid-${index}` } } as KubeObject;
  };
  const games = Array.from({ length: 500 }, (_, index) => named(index));
  const first = await session(directory, { sent: games.map((object) => ({ type: "ADDED", object })) });
  const next = await session(directory, { listed: games });
  const revisions = (opened: typeof first, name: string) => opened.objects.find({ kind: "Game", name })?.revisions;
  for (const name of ["g-0", "g-499"]) expect(revisions(next, name)).toEqual(revisions(first, name));
  expect(revisions(next, "g-0")).toHaveLength(1);
});
