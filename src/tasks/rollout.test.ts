// The output of make deploy after a failed rollout. deploy.full.test.ts uses a real API server without a kubelet.
import { expect, it } from "vitest";
import { waitUntilReady } from "./rollout.ts";

const deployment = { kind: "Deployment", metadata: { name: "manager", namespace: "system" } };

/** Explains a failed rollout of Pods with the given container statuses. */
async function explain(status: object, logs?: string): Promise<{ text: string; asked: string[] }> {
  const asked: string[] = [];
  const answers: Record<string, () => unknown> = {
    "get deployment manager -n system -o jsonpath": () => "1",
    "get deployment manager": () => ({
      spec: { selector: { matchLabels: { app: "manager" } } },
      status: {
        conditions: [{ type: "Available", status: "False", reason: "MinimumReplicasUnavailable", message: "none" }],
      },
    }),
    "get pods": () => ({ items: [{ metadata: { name: "manager-1", namespace: "system" }, status }] }),
    "get events": () => ({
      items: [
        { type: "Warning", reason: "BackOff", message: "again", involvedObject: { kind: "Pod", name: "manager-1" } },
        { type: "Warning", reason: "Foreign", message: "", involvedObject: { kind: "Pod", name: "other" } },
      ],
    }),
  };
  const kubectl = async (args: readonly string[]): Promise<string> => {
    const line = args.join(" ");
    asked.push(line);
    if (line.startsWith("logs") && logs !== undefined) return logs;
    const [, answer] = Object.entries(answers).find(([begin]) => line.startsWith(begin)) ?? [];
    if (answer === undefined) throw new Error(`${line} failed`);
    const value = answer();
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  let text = "";
  const print = (more: string) => {
    text += more;
  };
  expect(await waitUntilReady(kubectl, [deployment], "1s", print)).toEqual(["manager"]);
  return { text: text.trimEnd(), asked: asked.filter((line) => line.startsWith("logs")) };
}

const container = { name: "manager", ready: false, restartCount: 4 };
const ended = { terminated: { exitCode: 1, reason: "Error" } };

it("waitUntilReady reports how a crashing manager ended, with the end of its log", async () => {
  const waiting = { waiting: { reason: "CrashLoopBackOff", message: "back-off 40s" } };
  const { text, asked } = await explain(
    { phase: "Running", containerStatuses: [{ ...container, state: waiting, lastState: ended }] },
    "starting\nWATCH_NAMESPACE must contain at least one namespace to watch\n",
  );
  expect(asked).toEqual(["logs manager-1 -n system -c manager --tail=15 --previous"]);
  expect(text).toBe(`system/manager isn't ready:
  Available: MinimumReplicasUnavailable: none
  Pod manager-1: Running
    container manager is waiting (4 restarts): CrashLoopBackOff: back-off 40s
      last exit code 1: Error
      last lines of its log:
        starting
        WATCH_NAMESPACE must contain at least one namespace to watch
  Pod manager-1: BackOff: again`);
});

it("waitUntilReady reports the log of a manager that runs without becoming ready", async () => {
  const running = { running: { startedAt: "2026-01-01T00:00:00Z" } };
  const { text, asked } = await explain({ containerStatuses: [{ ...container, state: running }] }, "no lease\n");
  expect(asked).toEqual(["logs manager-1 -n system -c manager --tail=15"]);
  expect(text).toContain("container manager is running (4 restarts)\n      last lines of its log:\n        no lease\n");
});

it("waitUntilReady requests no log for an image that can't be pulled", async () => {
  const waiting = { waiting: { reason: "ImagePullBackOff", message: "not found" } };
  const { text, asked } = await explain({ containerStatuses: [{ ...container, state: waiting }] });
  expect(asked).toEqual([]);
  expect(text).toContain("container manager is waiting (4 restarts): ImagePullBackOff: not found\n");
});

it("waitUntilReady reports a failed init container, even without its log", async () => {
  const { text } = await explain({
    initContainerStatuses: [
      { ...container, name: "done", ready: true },
      { ...container, name: "wait", state: ended },
    ],
  });
  expect(text).toContain("    container wait is terminated (4 restarts): Error\n");
  expect(text).not.toContain("container done");
});
