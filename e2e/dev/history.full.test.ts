// The history of earlier sessions in a session of `scaffold dev`.
import { createTransport, loadConfig } from "@kubewright/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { Dev, gameProject } from "./dev-session.ts";

const games = "/apis/myapp.qingwave.github.io/v1/namespaces/default/games";

interface Change {
  readonly type: string;
  readonly by?: string;
}
interface Entry {
  readonly type: string;
  readonly change?: Change;
}

let dev: Dev;

beforeAll(async () => {
  dev = new Dev(await gameProject(), {}, "--no-samples");
});

afterAll(() => dev?.remove());

async function changes(): Promise<Change[]> {
  const { entries } = await dev.ask<{ entries: Entry[] }>("timeline", "game/chess", "--limit", "1000");
  return entries.flatMap(({ change }) => change ?? []).reverse();
}

async function reconciles(): Promise<string[]> {
  const { reconciles: records } = await dev.ask<{ reconciles: { id: string }[] }>(
    "why",
    "game/chess",
    "--limit",
    "1000",
  );
  return records.map(({ id }) => id);
}

/** Ends the session, and starts the next one. */
async function restart(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  dev.child.kill(signal);
  await dev.ended;
  dev = new Dev(dev.root, {}, "--no-samples");
  await dev.event("ready");
}

it("D53: the sessions after SIGTERM and SIGKILL know who created and changed an object, and its reconciles", async () => {
  const { kubeconfig } = await dev.event("ready");
  const transport = createTransport(loadConfig({ kubeconfig: String(kubeconfig) }));
  try {
    await transport.request({
      method: "POST",
      path: games,
      query: { fieldManager: "kubectl-create" },
      body: { apiVersion: "myapp.qingwave.github.io/v1", kind: "Game", metadata: { name: "chess" }, spec: {} },
    });
    await eventually(async () => expect((await reconciles()).length).toBeGreaterThan(1));
    await transport.request({
      method: "PATCH",
      path: `${games}/chess`,
      query: { fieldManager: "kubectl-edit" },
      contentType: "application/merge-patch+json",
      body: { spec: { replicas: 3 } },
    });
    await eventually(async () =>
      expect(await changes()).toContainEqual(expect.objectContaining({ type: "modified", by: "kubectl-edit" })),
    );
  } finally {
    await transport.close();
  }
  const [seen, before] = [await changes(), await reconciles()];
  expect(seen[0]).toMatchObject({ type: "added", by: "kubectl-create" });
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await restart(signal);
    expect((await changes()).slice(0, seen.length), signal).toEqual(seen);
    expect(await reconciles(), signal).toEqual(expect.arrayContaining(before));
  }
});
