import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DevEvent, ReconcileReason, ReconcileRecord, Why } from "@kubewright/dashboard/protocol";
import { describe, expect, it } from "vitest";
import { whyText } from "./answers.ts";
import { ErrorFrames } from "./error-frames.ts";
import { eventLines, failedBuildText, managerLine, painter, reasonText } from "./plain.ts";
import { recordOf, time } from "./record.fixture.ts";
import { Retries } from "./retries.ts";

const plain = painter(false);

describe("reasonText", () => {
  it.each<readonly [Omit<ReconcileReason, "time">, string]>([
    [
      {
        type: "update",
        kind: "Deployment",
        namespace: "default",
        name: "chess",
        by: "kubectl",
        changed: ["spec.replicas"],
      },
      "update Deployment default/chess: spec.replicas by kubectl",
    ],
    [{ type: "create", kind: "Game", name: "chess", initial: true }, "found Game chess"],
    [
      { type: "update", kind: "Game", name: "chess", by: "mygame", reconcile: "1" },
      "update Game chess by this manager",
    ],
    [{ type: "requeue", after: 60_000 }, "requeued after 60000 ms"],
    [{ type: "retry", after: 10, attempts: 2 }, "retry 2 after 10 ms"],
    [{ type: "generic", kind: "Game", name: "chess", manual: true }, "requested by you"],
    [{ type: "resync", kind: "Game", name: "chess" }, "resync Game chess"],
  ])("formats %j", (reason, text) => expect(reasonText({ ...reason, time })).toBe(text));

  it("doesn't repeat the reconciled object", () => {
    const chess = { kind: "Game", namespace: "default", name: "chess" };
    expect(reasonText({ time, type: "update", ...chess, changed: ["spec.host"], by: "kubectl" }, chess)).toBe(
      "update: spec.host by kubectl",
    );
    expect(reasonText({ time, type: "create", ...chess, initial: true }, chess)).toBe("found");
    expect(reasonText({ time, type: "delete", ...chess, kind: "Service" }, chess)).toBe("delete Service default/chess");
  });
});

describe("the lines of events", () => {
  const lines = (event: object) => eventLines({ time, ...event } as DevEvent, plain);

  it("contain an error with its position and the lines around it", () => {
    const event = {
      event: "error",
      phase: "types",
      message: "wrong",
      file: "src/a.ts",
      line: 3,
      column: 5,
      id: "TS1",
      frame: "> 3 | x\n    | ^",
    };
    const shown = ["error in types src/a.ts:3:5: wrong (TS1)", "  > 3 | x", "      | ^"];
    expect(lines(event)).toEqual(shown);
    expect(lines({ ...event, hint: "did you mean `y`?" })).toEqual([...shown, "  hint: did you mean `y`?"]);
  });

  it("contain the position of a failed reconcile's error, and the lines around it once", () => {
    const root = mkdtempSync(join(tmpdir(), "kubewright-dev-"));
    try {
      writeFileSync(join(root, "a.ts"), "one\ntwo\n");
      const frames = new ErrorFrames(root);
      const event = {
        time,
        event: "reconciled",
        controller: "game",
        kind: "Game",
        namespace: "default",
        name: "chess",
        reasons: ["retry"],
        durationMs: 2,
        writes: 0,
        error: "conflict",
        file: "a.ts",
        line: 2,
        column: 1,
      } as unknown as DevEvent;
      const first = "failed Game default/chess (retry) no writes, 2 ms conflict at a.ts:2:1";
      expect(eventLines(event, plain, undefined, frames.of(event))).toEqual([
        first,
        "    1 | one",
        "  > 2 | two",
        "      | ^",
        "    3 |",
      ]);
      expect(eventLines(event, plain, undefined, frames.of(event))).toEqual([first]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it("count the writes of a reconcile that changed something, as the dashboard does", () => {
    const write = (verb: string, diff: string, error: string | null = null) =>
      ({ verb, kind: "Game", name: "chess", diff, error }) as ReconcileRecord["writes"][number];
    const line = (...writes: ReconcileRecord["writes"]) => {
      const event = { event: "reconciled", kind: "Game", namespace: "", name: "chess", reasons: [], durationMs: 2 };
      const body = { time, ...event, writes: writes.length } as unknown as DevEvent;
      return eventLines(body, plain, recordOf({ writes }))[0]?.replace("reconciled Game chess () ", "");
    };
    expect(line()).toBe("no writes, 2 ms");
    expect(line(write("apply", "+a"))).toBe("1 write, 2 ms");
    expect(line(write("apply", ""), write("apply", ""), write("apply", ""))).toBe(
      "no writes (3 without a change), 2 ms",
    );
    // The last state of a deleted object can be unknown, and a failed write isn't one without a change.
    expect(line(write("apply", ""), write("delete", ""), write("update", "", "conflict"))).toBe(
      "2 writes (1 without a change), 2 ms",
    );
  });

  it("contain the key that applies changed samples", () => {
    expect(lines({ event: "changed", files: ["src/main.ts"] })).toEqual(["changed src/main.ts"]);
    expect(lines({ event: "changed", files: ["config/samples/web_v1_website.yaml"] })).toEqual([
      "changed config/samples/web_v1_website.yaml",
      "  press a to apply the samples, or run kubectl apply -k config/samples",
    ]);
  });

  it("the kubeconfig can be pasted into a shell", () => {
    const kubectl = (kubeconfig: string) =>
      lines({ event: "ready", kubeconfig, engine: "embedded", dashboard: "http://x", durationMs: 1 })[2];
    expect(kubectl("/home/you/mygame/dev.kubeconfig")).toBe(
      "  kubectl     export KUBECONFIG=/home/you/mygame/dev.kubeconfig",
    );
    expect(kubectl("/home/you/it's my game")).toBe("  kubectl     export KUBECONFIG='/home/you/it'\\''s my game'");
  });

  it("a build that failed has the manager that continues to run", () => {
    expect(failedBuildText(12)).toBe("the old manager (process 12) continues to run until the errors are fixed");
    expect(failedBuildText(undefined)).toBe("no manager runs until the errors are fixed");
  });

  it("omit unchanged objects, and those that failed, for which an error follows", () => {
    const objects = [
      { kind: "Game", name: "a", namespace: "default", action: "created" },
      { kind: "Game", name: "b", action: "unchanged" },
      { kind: "Game", name: "c", action: "failed", message: "no" },
    ];
    expect(lines({ event: "applied", objects })).toEqual(["created Game default/a"]);
  });

  it("contain no control characters from names and messages", () => {
    const evil = "\u001b[2J\u001b]0;title\u0007chess\r\nfake line\u202e";
    const shown = [
      ...lines({
        event: "reconciled",
        controller: evil,
        kind: evil,
        namespace: evil,
        name: evil,
        reasons: [],
        durationMs: 1,
        writes: 0,
        error: evil,
      }),
      ...lines({ event: "applied", objects: [{ kind: evil, name: evil, action: "created" }] }),
      ...lines({ event: "error", phase: "manager", message: evil }),
      ...lines({ event: "takeover", lease: evil, from: evil, action: "taken" }),
      managerLine(JSON.stringify({ level: "info", msg: evil, field: evil }), plain) ?? "",
      managerLine(evil, plain) ?? "",
      whyText(
        { object: { kind: evil, namespace: evil, name: evil, uid: "", resourceVersion: "" }, reconciles: [] },
        plain,
      ),
    ].join("");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

describe("lines of the manager", () => {
  it("have no colors of the program, and are cut if they would fill many screens", () => {
    expect(managerLine("\u001b[31mred\u001b[0m text", plain)).toBe("red text");
    expect(managerLine(`{${"x".repeat(1_000_000)}`, plain)).toMatch(/^\{x{4999}… \(995001 more characters\)$/);
    const long = JSON.stringify({ level: "warn", msg: "x".repeat(6000) });
    expect(managerLine(long, plain)).toMatch(/^ {2}warn {2}x{5000}… \(1000 more characters\)$/);
  });
});

describe("lines of the manager about errors", () => {
  const line = (stacktrace: string, level = "error") =>
    managerLine(JSON.stringify({ level, msg: "Bug in the webhook", stacktrace }), plain, "/home/you/mygame");
  const runtime = "    at handle (file:///home/you/mygame/node_modules/@kubewright/runtime/dist/src/hook.ts:1:2)";

  it.each([
    [
      "    at GameValidator.validate (/home/you/mygame/src/webhook/v1/game-webhook.ts:61:12)",
      "src/webhook/v1/game-webhook.ts:61:12",
    ],
    ["    at async /home/you/mygame/api/v2/game-conversion.ts:9:3", "api/v2/game-conversion.ts:9:3"],
    ["    at toHub (file:///home/you/mygame/api/v2/game-conversion.ts:9:3)", "api/v2/game-conversion.ts:9:3"],
    ["    at price (src/api/price.ts:4:5)", "src/api/price.ts:4:5"],
    ["    at price (/home/you/mygame/src/api/price.ts:4:5)", "src/api/price.ts:4:5"],
  ])("name the position in the project of %s", (frame, place) => {
    expect(line(`TypeError: oops\n${runtime}\n${frame}\n${runtime}`)).toBe(`  error Bug in the webhook at ${place}`);
  });

  it("name none if the stack has none, or for other lines", () => {
    expect(line(`TypeError: oops\n${runtime}`)).toBe("  error Bug in the webhook");
    expect(line("Error: x\n    at a (/home/you/mygame/src/main.ts:1:2)", "warn")).toBe("  warn  Bug in the webhook");
  });
});

describe("failing reconciles", () => {
  const failed = (changes: object) =>
    ({
      time,
      event: "reconciled",
      controller: "game",
      kind: "Game",
      namespace: "default",
      name: "chess",
      reasons: ["retry"],
      durationMs: 2,
      writes: 0,
      error: "TypeError: oops",
      file: "src/a.ts",
      line: 2,
      column: 7,
      ...changes,
    }) as unknown as DevEvent;

  it("are one line with their number, the time of the next attempt and the position", () => {
    const line = (changes: object) => eventLines(failed(changes), plain)[0];
    const rest = "Game default/chess (retry) no writes, 2 ms TypeError: oops at src/a.ts:2:7";
    expect(line({ attempts: 1, retryAfter: 5 })).toBe(`failed, next try in 5 ms: ${rest}`);
    expect(line({ attempts: 10, retryAfter: 2560 })).toBe(`failed ×10, next try in 2.6 s: ${rest}`);
    expect(line({ attempts: 14, retryAfter: 40_960 })).toBe(`failed ×14, next try in 41 s: ${rest}`);
    expect(line({ attempts: 30, retryAfter: 1_000_000 })).toBe(`failed ×30, next try in 17 min: ${rest}`);
    expect(line({})).toBe(`failed ${rest}`);
  });

  it("are printed once, and again when the next attempt is far away, or with another error", () => {
    const retries = new Retries();
    const shown = (changes: object) => !retries.isRepeated(failed(changes));
    // The default back-off: 5 ms, doubled by each failure.
    const attempts = Array.from({ length: 14 }, (_, index) => index + 1);
    const printed = attempts.filter((count) => shown({ attempts: count, retryAfter: 5 * 2 ** (count - 1) }));
    expect(printed).toEqual([1, 11, 12, 13, 14]);
    // The message can contain a time, another position is another error.
    expect(shown({ error: "TypeError: oops at 12:01", retryAfter: 5 })).toBe(false);
    expect(shown({ line: 3, retryAfter: 5 })).toBe(true);
    expect(shown({ name: "go", retryAfter: 5 })).toBe(true);
    expect(shown({ line: 3, retryAfter: 10 })).toBe(false);
    expect(shown({ error: undefined })).toBe(true);
    expect(shown({ line: 3, retryAfter: 5 })).toBe(true);
    expect(retries.isRepeated({ event: "started", time, pid: 1, durationMs: 1 })).toBe(false);
    expect(shown({ line: 3, retryAfter: 5 })).toBe(true);
  });

  it("aren't printed a second time as lines of the manager, unless it doesn't report them", () => {
    const line = JSON.stringify({ level: "error", msg: "Reconciler error", error: "oops" });
    expect(managerLine(line, plain, "", { isInspected: true })).toBeUndefined();
    expect(managerLine(line, plain, "", { isInspected: true, all: true })).toBe("  error Reconciler error error=oops");
    expect(managerLine(line, plain)).toBe("  error Reconciler error error=oops");
  });
});

describe("the text of a generation", () => {
  it("contains new warnings with their position and hint", () => {
    const warning = { id: "extraneous-crd", message: "no kind generates it", file: "config/x.yaml", hint: "remove it" };
    const event: DevEvent = { event: "generated", time, files: [], breaking: [], warnings: [warning] };
    expect(eventLines(event, plain)).toEqual([
      "warning config/x.yaml: no kind generates it (extraneous-crd)",
      "  hint: remove it",
    ]);
  });
});

describe("kinds of the same name in two groups", () => {
  const [first, second] = ["game.example.com/v1", "batch/v1"];
  const job = (apiVersion: string | undefined) => ({ apiVersion, kind: "Job", namespace: "default", name: "chess" });

  it("have their group in why", () => {
    const why: Why = {
      object: { ...job(first), uid: "u", resourceVersion: "1" } as Why["object"],
      reconciles: [
        recordOf({
          object: job(first) as ReconcileRecord["object"],
          reasons: [{ type: "update", ...job(second), via: "owns" } as ReconcileRecord["reasons"][number]],
          reads: [{ verb: "get", kind: "Pod", apiVersion: "v1", name: "x", from: "cache" }],
          writes: [
            {
              ...{ verb: "update", kind: "Job", apiVersion: second as string, name: "chess" },
              ...{ diff: "", error: null, durationMs: 1 },
            },
          ],
        }),
      ],
    };
    expect(whyText(why, plain).split("\n").slice(0, 6)).toEqual([
      "Job.game.example.com default/chess",
      "",
      "12:00:00.000 game, 3 ms",
      "  because update Job.batch default/chess",
      "  get Pod x from cache",
      "  update Job.batch chess (no change)",
    ]);
  });

  it("have their group in the log, and a reason of the other one isn't left out", () => {
    const event = {
      time,
      event: "reconciled",
      controller: "job",
      ...job(first),
      reasons: ["update"],
      durationMs: 2,
      writes: 0,
    } as unknown as DevEvent;
    const of = (reason: object) =>
      eventLines(
        event,
        plain,
        recordOf({ reasons: [{ type: "update", ...reason } as ReconcileRecord["reasons"][number]] }),
      );
    expect(of(job(first))).toEqual(["reconciled Job default/chess (update) no writes, 2 ms"]);
    expect(of(job(second))).toEqual([
      "reconciled Job.game.example.com default/chess (update Job.batch default/chess) no writes, 2 ms",
    ]);
    expect(eventLines(event, plain, undefined, undefined, [job(second) as { kind: string }])).toEqual([
      "reconciled Job.game.example.com default/chess (update) no writes, 2 ms",
    ]);
  });
});
