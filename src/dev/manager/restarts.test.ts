import type { DevProblem } from "@kubewright/dashboard/protocol";
import { expect, it } from "vitest";
import { SessionEvents } from "../store/session-events.ts";
import { LastingFaults } from "./lasting-faults.ts";
import { Restarts } from "./restarts.ts";

async function end(...output: string[]) {
  const problems: DevProblem[] = [];
  let restarts = 0;
  const events = new SessionEvents();
  events.on("problems", (reported) => problems.push(...reported.problems));
  const session = {
    events,
    client: () => ({ request: async () => ({}) }) as never,
    restart: () => void restarts++,
  };
  await new Restarts(session, new LastingFaults()).onEnd({ pid: 1, how: "exit code 1", expected: false, output });
  return { restarts, problems };
}

it("a manager that ended because of a fault starts again if the fault is over already", async () => {
  const error = "failed to wait for the caches: connect ECONNREFUSED (fault: unavailable)";
  expect(await end(JSON.stringify({ level: "error", msg: "ended", error }))).toMatchObject({
    restarts: 1,
    problems: [{ phase: "manager", hint: "it starts again, because the fault unavailable is over" }],
  });
});

it("a manager that ended for another reason doesn't start again", async () => {
  const error = JSON.stringify({ level: "error", msg: "a retry", error: "connect ECONNREFUSED (fault: unavailable)" });
  const last = JSON.stringify({ level: "error", msg: "ended", error: "no spec" });
  const { restarts, problems } = await end(error, last);
  expect([restarts, problems]).toEqual([0, [{ phase: "manager", message: expect.stringContaining("no spec") }]]);
});
