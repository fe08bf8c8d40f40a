import type { Why } from "@kubewright/dashboard/protocol";
import { describe, expect, it } from "vitest";
import { objectsText, whyText } from "./answers.ts";
import { painter } from "./plain.ts";
import { recordOf, time } from "./record.fixture.ts";

const plain = painter(false);

it("why prints reads, writes, calls and log lines in their order", () => {
  const reconcile = recordOf({
    reads: [{ verb: "get", kind: "Game", name: "chess", from: "cache" }],
    writes: [{ verb: "create", kind: "Deployment", name: "chess", diff: "", error: null, durationMs: 1 }],
    calls: [
      { method: "POST", url: "https://players.example/v1", status: 201, error: null, durationMs: 12 },
      { method: "GET", url: "https://players.example/\u001b[2J", error: "connect ECONNREFUSED", durationMs: 1 },
    ],
    logs: [{ level: "info", message: "registered", time }],
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
});

it("why prints the children that a reconcile changed or that aren't ready, and counts the others", () => {
  const child = (name: string, action: string, ready: boolean, message?: string) => {
    const rest = message === undefined ? {} : { message };
    return { child: name, kind: "Deployment", namespace: "default", name: "chess", action, ready, ...rest };
  };
  const children = [
    child("web", "created", false, "0 of 1\u001b[2J updated"),
    child("old", "pruned", false),
    child("a", "unchanged", true),
    child("b", "unchanged", true),
    { ...child("", "failed", false, "timeout"), name: "" },
  ];
  const object = { kind: "Game", namespace: "default", name: "chess", uid: "", resourceVersion: "" };
  const lines = whyText({ object, reconciles: [recordOf({ children })] }, plain).split("\n");
  expect(lines.slice(3)).toEqual([
    "  child web Deployment default/chess created, not ready: 0 of 1\\u001b[2J updated",
    "  child old Deployment default/chess pruned",
    "  child Deployment default/ failed, not ready: timeout",
    "  2 children unchanged",
  ]);
});

it("why counts the reconciles that changed nothing, except the latest", () => {
  const object = { kind: "Game", namespace: "default", name: "chess", uid: "", resourceVersion: "" };
  const write = { verb: "apply", kind: "Deployment", name: "chess", error: null, durationMs: 1 } as const;
  const quiet = recordOf({ writes: [{ ...write, diff: "" }] });
  const repairs = recordOf({ writes: [{ ...write, diff: "+replicas: 1" }] });
  const fails = recordOf({ error: { message: "no" } });
  const summary = (reconciles: Why["reconciles"], limit?: number) =>
    whyText({ object, reconciles }, plain, limit)
      .split("\n")
      .filter((line) => /changed nothing|^12:/.test(line))
      .map((line) => line.replace("12:00:00.000 game, 3 ms", "reconcile"));
  expect(summary([quiet, quiet, repairs, quiet, quiet, fails, quiet])).toEqual([
    "reconcile",
    "1 reconcile changed nothing",
    "reconcile",
    "2 reconciles changed nothing",
    "reconcile failed",
    "1 reconcile changed nothing",
  ]);
  expect(summary([repairs, quiet, repairs, repairs], 2)).toEqual([
    "reconcile",
    "1 reconcile changed nothing",
    "reconcile",
  ]);
});

describe("the text of an answer", () => {
  it("contains reasons, reads, writes with their changed lines, logs and the error for why", () => {
    const why: Why = {
      object: { kind: "Game", namespace: "default", name: "chess", uid: "u", resourceVersion: "1" },
      reconciles: [
        recordOf({
          reasons: [{ type: "create", kind: "Game", name: "chess", time }],
          reads: [{ verb: "list", kind: "Pod", from: "server", count: 2 }],
          writes: [
            {
              verb: "update",
              kind: "Game",
              name: "chess",
              subresource: "status",
              diff: "--- before\n+++ after\n@@ -1,1 +1,1 @@\n-a: 1\n+a: 2\n",
              error: null,
              durationMs: 1,
            },
            { verb: "update", kind: "Game", name: "chess", diff: "", ignored: ["status"], error: null, durationMs: 1 },
          ],
          logs: [{ level: "info", message: "done", time, fields: { ready: 2, result: "created" } }],
          error: { message: "no luck", file: "src/a.ts", line: 3 },
        }),
      ],
    };
    expect(whyText(why, plain).split("\n")).toEqual([
      "Game default/chess",
      "",
      "12:00:00.000 game, 3 ms failed",
      "  because create Game chess",
      "  list Pod from server, 2 objects",
      "  update Game chess status",
      "    -a: 1",
      "    +a: 2",
      "  update Game chess (no change)",
      "    the API server ignored the changed status: write it with patchStatus or client.status.update",
      "  info done ready=2 result=created",
      "  no luck at src/a.ts:3",
    ]);
  });

  it("contains objects as trees, even if owners own each other", () => {
    const object = (name: string, owners: string[], children: string[]) => ({
      apiVersion: "v1",
      kind: "Game",
      namespace: "",
      name,
      uid: name,
      ready: true,
      status: "Current" as const,
      statusMessage: "Resource is Ready",
      owners,
      children,
      generation: 1,
      observedGeneration: 1,
      conditions: [],
      resourceVersion: "1",
      creationTimestamp: time,
      deleting: false,
      own: true,
    });
    const objects = [object("a", [], ["b"]), object("b", ["a"], ["c"]), object("c", ["b"], ["b"])];
    expect(objectsText({ objects }, plain)).toBe("Game a ready\n  Game b ready\n    Game c ready");
  });

  it.each([
    [{ ready: true, status: "Current", statusMessage: "Resource is Ready" }, " ready"],
    [{ ready: true, status: null, statusMessage: "" }, " ready"],
    [{ ready: null, status: null, statusMessage: "" }, ""],
    [{ ready: null, status: "Current", statusMessage: "Job in progress." }, ""],
    [{ ready: false, status: null, statusMessage: "" }, " not ready"],
    [{ ready: false, status: "InProgress", statusMessage: "" }, " not ready (InProgress)"],
    [{ ready: false, status: "Failed", statusMessage: "no\u001b[2J host" }, " not ready (Failed: no\\u001b[2J host)"],
    [{ ready: false, status: "Terminating", statusMessage: "gone", deleting: true }, " not ready deleting"],
  ] as const)("contains the state %j of an object", (state, text) => {
    const object = {
      ...{ apiVersion: "v1", kind: "Game", namespace: "", name: "a", uid: "a", owners: [], children: [] },
      ...{ generation: 1, observedGeneration: 1, conditions: [], resourceVersion: "1", creationTimestamp: time },
      ...{ deleting: false, own: true },
      ...state,
    };
    expect(objectsText({ objects: [object] }, plain)).toBe(`Game a${text}`);
  });
});
