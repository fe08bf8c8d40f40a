import { describe, expect, it } from "vitest";
import { systemClock } from "../clock/clock.ts";
import type { TransportRequest } from "../transport/transport.ts";
import type { ActiveReconcile } from "./active-reconcile.ts";
import { Inspector } from "./inspector.ts";
import { inspectedScope } from "./scope.ts";

describe("Faults", () => {
  it("conflicts affect only the group of the fault", async () => {
    const { faults } = new Inspector(systemClock);
    const write = (group: string) => () =>
      faults.check({ method: "PUT", path: `/apis/${group}/v1/namespaces/default/games/chess` }, "Game");
    faults.inject({ fault: "conflict", count: 2, kind: "Game", apiVersion: "game.example.com/v1" });
    expect(write("chess.example.com")()).toBeUndefined();
    await expect(write("game.example.com")()).rejects.toThrow("the object has been modified");
  });

  it("conflicts aren't used up by the manager's configuration of its own webhooks, only by reconciles", async () => {
    const { faults } = new Inspector(systemClock);
    faults.inject({ fault: "conflict" });
    const paths = [
      "admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
      "apiextensions.k8s.io/v1/customresourcedefinitions",
    ];
    const writes = paths.map((path) => () => faults.check({ method: "PUT", path: `/apis/${path}/x` }, undefined));
    expect(writes.map((write) => write())).toEqual([undefined, undefined]);
    expect(faults.active()).toEqual([{ fault: "conflict", left: 1 }]);
    const scope = { reconcile: {} as ActiveReconcile };
    await expect(inspectedScope.run(scope, () => writes[0]?.())).rejects.toThrow("the object has been modified");
  });

  it("conflicts affect only writes that a server can refuse", async () => {
    const { faults } = new Inspector(systemClock);
    faults.inject({ fault: "conflict", count: 10 });
    const check = (request: object) =>
      faults.check({ path: "/api/v1/namespaces/default/pods/x", ...request } as TransportRequest, "Pod");
    const apply = { method: "PATCH", contentType: "application/apply-patch+yaml" };
    const merge = { method: "PATCH", contentType: "application/merge-patch+json" };
    const preconditions = { resourceVersion: "1" };
    const spared = [{ ...apply, query: { force: true } }, { method: "DELETE" }, { method: "DELETE", body: {} }];
    expect(spared.map(check)).toEqual([undefined, undefined, undefined]);
    for (const refused of [apply, merge, { method: "PUT" }, { method: "DELETE", body: { preconditions } }]) {
      await expect(check(refused)).rejects.toThrow("the object has been modified");
    }
    expect(faults.active()).toEqual([{ fault: "conflict", left: 6 }]);
  });

  it("reports the remaining faults when one is injected, strikes or is ended", async () => {
    const { faults } = new Inspector(systemClock);
    const told: unknown[] = [];
    faults.observe((active) => void told.push(active));
    faults.inject({ fault: "conflict", count: 2, kind: "Game" });
    const write = () =>
      faults.check({ method: "PUT", path: "/apis/example.com/v1/namespaces/default/games/chess" }, "Game");
    for (let count = 0; count < 2; count++) await write()?.catch(() => undefined);
    faults.inject({ fault: "conflict" });
    faults.clear();
    const conflict = (left: number) => [{ fault: "conflict", left, kind: "Game" }];
    expect(told).toEqual([conflict(2), conflict(1), [], [{ fault: "conflict", left: 1 }], []]);
  });

  it("injected errors have the functions that await the answer in their stack traces", async () => {
    const { faults } = new Inspector(systemClock);
    faults.inject({ fault: "conflict" });
    const send = async (): Promise<void> => {
      await undefined;
      await faults.check({ method: "PUT", path: "/apis/apps/v1/namespaces/default/deployments/game" }, "Deployment");
    };
    // Without an await of its own, as in wrappers of clients.
    const update = async (): Promise<void> => send();
    async function reconcileGame(): Promise<void> {
      await update();
    }
    const error = await reconcileGame().catch((thrown: Error) => thrown);
    expect(error?.stack).toContain("reconcileGame");
  });
});
