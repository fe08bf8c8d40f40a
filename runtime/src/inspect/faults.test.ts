import { describe, expect, it } from "vitest";
import { systemClock } from "../clock/clock.ts";
import { Inspector } from "./inspector.ts";

describe("Faults", () => {
  it("conflicts affect only the group of the fault", async () => {
    const { faults } = new Inspector(systemClock);
    const write = (group: string) => () =>
      faults.check({ method: "PUT", path: `/apis/${group}/v1/namespaces/default/games/chess` }, "Game");
    faults.inject({ fault: "conflict", count: 2, kind: "Game", apiVersion: "game.example.com/v1" });
    expect(write("chess.example.com")()).toBeUndefined();
    await expect(write("game.example.com")()).rejects.toThrow("the object has been modified");
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
