import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { always, eventually, simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";
import { Game } from "#api/v1/index.ts";
import { GameReconciler } from "./game-controller.ts";

const key = { namespace: "default", name: "chess" };

const chess: Game = {
  apiVersion: Game.apiVersion,
  kind: Game.kind,
  metadata: { ...key },
  spec: { replicas: 1, image: "nginx", host: "chess.example.com" },
};

it("converges whatever happens", async () => {
  await simulate({
    crdDirectoryPaths: ["config/crd/bases"],
    operator: async (mgr) => {
      await new GameReconciler(mgr.client).setupWithManager(mgr);
    },
    scenario: async (world) => {
      await world.client.create(chess);
      await world.settled();
      await world.client.patch(Game, key, { spec: { replicas: 3 } });
      await world.settled();
      await world.client.delete(Game, key);
    },
    invariants: [
      always("at most one Deployment per Game", (world) => world.list(Deployment).length <= 1),
      eventually("the Deployment has the Game's replicas", (world) => {
        const game = world.object(Game, key);
        return !game || world.object(Deployment, key)?.spec?.replicas === game.spec.replicas;
      }),
    ],
  });
}, 60_000);
