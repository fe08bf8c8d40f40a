import { expect, it } from "vitest";
import { EndedError, LateError, type ManagerProcess } from "./manager-process.ts";
import { ManagerRequests } from "./manager-requests.ts";

type State = "starting" | "running";

/** Returns requests to managers, of which the end of each one starts the next one. */
function requestsTo(calls: readonly (() => unknown)[], { state = "running" as State, isInspected = true } = {}) {
  let ended = 0;
  const managers = calls.map((answer) => ({
    isInspected,
    async call() {
      try {
        return answer();
      } catch (error) {
        if (error instanceof EndedError) ended++;
        throw error;
      }
    },
  }));
  const running = () => managers[ended] as unknown as ManagerProcess | undefined;
  return new ManagerRequests({
    get manager() {
      return running();
    },
    loaded: async () => running(),
    status: { state, pid: 1, startedAt: null, restarts: 0, inspected: isInspected },
    paused: false,
    pause: () => Promise.reject(new LateError()),
  });
}

function end(): never {
  throw new EndedError();
}

function beLate(): never {
  throw new LateError();
}

it("requests a change from the next manager if the running one ends", async () => {
  expect(await requestsTo([end, end, () => "reconciled"]).change({ call: "reconcile" })).toBe("reconciled");
});

it("doesn't read from the next manager if the running one ends", async () => {
  await expect(requestsTo([end, () => []]).read({ call: "caches" })).rejects.toMatchObject({ status: 409 });
});

it("reports that a change of a busy manager happens later", async () => {
  await expect(requestsTo([beLate]).change({ call: "fault" })).rejects.toMatchObject({
    status: 409,
    message: "the manager doesn't answer",
    hint: "what was requested happens when it answers again",
  });
});

it("rejects changes while a manager is loaded that doesn't answer yet", async () => {
  const requests = requestsTo([() => "never"], { state: "starting", isInspected: false });
  await expect(requests.change({ call: "fault" })).rejects.toMatchObject({ message: "the manager is still loading" });
});

it("reports that no manager runs", async () => {
  await expect(requestsTo([]).controllers()).rejects.toMatchObject({ message: "the manager isn't running" });
});

it("reports a manager that can't be paused", async () => {
  await expect(requestsTo([]).pause(true)).rejects.toMatchObject({ status: 409 });
});
