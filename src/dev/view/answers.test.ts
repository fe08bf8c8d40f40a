import { expect, it } from "vitest";
import type { ReconcileRecord } from "../protocol.ts";
import { whyText } from "./answers.ts";
import { painter } from "./plain.ts";

const plain = painter(false);
const time = new Date(2026, 0, 1, 12).toISOString();

const record = (changes: Partial<ReconcileRecord>): ReconcileRecord => ({
  id: "1",
  controller: "game",
  object: { kind: "Game", namespace: "default", name: "chess" },
  time,
  durationMs: 3,
  reasons: [],
  reads: [],
  writes: [],
  logs: [],
  result: { requeueAfter: 0 },
  error: null,
  ...changes,
});

it("why prints reads, writes, calls and log lines in their order", () => {
  const reconcile = record({
    reads: [{ verb: "get", kind: "Game", name: "chess", from: "cache" }],
    writes: [{ verb: "create", kind: "Deployment", name: "chess", diff: "", error: null }],
    calls: [
      { method: "POST", url: "https://players.example/v1", status: 201, error: null, durationMs: 12 },
      { method: "GET", url: "https://players.example/\u001b[2J", error: "connect ECONNREFUSED", durationMs: 1 },
    ],
    logs: [{ level: "info", message: "registered" }],
    steps: ["call", "log", "read", "write", "call"],
  });
  const object = { kind: "Game", namespace: "default", name: "chess", uid: "", resourceVersion: "" };
  const lines = whyText({ object, reconciles: [reconcile] }, plain)
    .split("\n")
    .slice(3);
  expect(lines).toEqual([
    "  call POST https://players.example/v1 201 12 ms",
    "  info registered",
    "  get Game chess from cache",
    "  create Deployment chess (no change)",
    "  call GET https://players.example/\\u001b[2J connect ECONNREFUSED 1 ms",
  ]);
  // Records of an older runtime have no order.
  const { calls: _, steps: __, ...older } = reconcile;
  expect(whyText({ object, reconciles: [older] }, plain)).toMatch(
    /get Game.*\n.*create Deployment.*\n.*info registered/,
  );
});
