import { testContext } from "@kubewright/runtime/testing";
import { expect, it } from "vitest";
import { Game, type GameSpec } from "#api/v1/index.ts";
import { GameDefaulter, GameValidator } from "./game-webhook.ts";

const ctx = testContext({ request: { namespace: "default" } });

function game(spec: GameSpec, namespace?: string): Game {
  return { apiVersion: Game.apiVersion, kind: Game.kind, metadata: { name: "sample", namespace }, spec };
}

it("sets a missing image and host", async () => {
  for (const [created, host] of [
    [game({}), "sample.default.mygame.io"],
    [game({ host: "" }, "there"), "sample.there.mygame.io"],
  ] as const) {
    await new GameDefaulter().default(ctx, created);
    expect(created.spec).toEqual({ image: "alexwhen/docker-2048", host });
  }
});

it("keeps set fields", async () => {
  const own = game({ image: "nginx", host: "a.io", replicas: 3 });
  await new GameDefaulter().default(ctx, own);
  expect(own.spec).toEqual({ image: "nginx", host: "a.io", replicas: 3 });
});

it("rejects hosts with wildcards on create and update", async () => {
  const validator = new GameValidator();
  const [good, bad] = [game({ host: "a.io" }), game({ host: "*.io" })];
  await expect(validator.validateCreate(ctx, good)).resolves.toEqual([]);
  await expect(validator.validateCreate(ctx, bad)).rejects.toThrow("host should not contain *");
  await expect(validator.validateUpdate(ctx, good, bad)).rejects.toThrow("host should not contain *");
});
