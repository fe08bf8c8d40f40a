// Follows the tutorial of the Game operator (docs/tutorials/game.md) with the real `scaffold dev`.
import { afterAll, beforeAll, it } from "vitest";
import { Walk } from "./walk.ts";

const walk = new Walk("game", "mygame");
const kind = "--group myapp --version v1 --kind Game";

beforeAll(async () => {
  await walk.scaffold(
    "init --domain qingwave.github.io --repo qingwave.github.io/mygame",
    `create api ${kind} --resource --controller --kstatus=false`,
  );
  await walk.install();
});
afterAll(() => walk.end());

it("the session starts with the types and the sample", async () => {
  walk.take("examples/game/api", "api");
  walk.take("examples/game/config", "config");
  await walk.dev();
  await walk.showsStart("Game default/game-sample");
});

it("the operator creates the Deployment", async () => {
  const output = await walk.during(/created[\s\S]*reconciled.* 1 write.*\n/, () =>
    walk.take("testdata/tutorials/game/deployment/game-controller.ts", "src/controller/game-controller.ts"),
  );
  await walk.shows("deployment", Walk.lines(output, /synced deployment|reconciled.* 1 write/));
  await walk.becomes("deployment-objects", () => walk.ask("objects"), /Deployment \S+ ready[\s\S]*Pod \S+ ready/);
});

it("the operator recreates a deleted Deployment", async () => {
  const output = await walk.during(/delete Deployment.* 1 write.*\n/, () =>
    walk.kubectl("delete", "deployment", "game-sample"),
  );
  await walk.shows("deleted", Walk.lines(output, /delete Deployment.* 1 write/));
});

it("the operator creates the other children, and reports the status", async () => {
  await walk.during("updated status", () => walk.take("examples/game/src", "src"));
  await walk.becomes("objects", () => walk.ask("objects"), /Deployment \S+ ready[\s\S]*Pod \S+ ready/);
  await walk.becomes("get", () => walk.kubectl("get", "games"), /Running.* 1 +1 +1 /);
});

it("the project passes its tests and its simulation", async () => {
  await walk.showsTests();
});

it("the operator scales", async () => {
  await walk.kubectl("scale", "game", "game-sample", "--replicas=3");
  await walk.becomes("scaled", () => walk.kubectl("get", "games"), /Running.* 3 +3 +3 /);
});

it("the operator reverts a change of the Ingress, and why explains it", async () => {
  const change = [{ op: "replace", path: "/spec/rules/0/host", value: "other.io" }];
  await walk.during(/update Ingress.* 1 write.*\n/, () =>
    walk.kubectl("patch", "ingress", "game-sample", "--type=json", "--patch", JSON.stringify(change)),
  );
  const why = await walk.ask("why", "game/game-sample");
  await walk.shows("why", why.split("\n\n").find((line) => line.includes("other.io")) ?? why);
});

it("the webhook rejects a host", async () => {
  const output = await walk.scaffold(`create webhook ${kind} --defaulting --programmatic-validation`);
  await walk.shows("create-webhook", Walk.lines(output, /webhook\.ts|main\.ts|^Created/));
  walk.take("examples/game-webhook");
  const patch = (host: string) => [
    "patch",
    "game",
    "game-sample",
    "--type=merge",
    "--patch",
    `{"spec":{"host":"${host}"}}`,
  ];
  await walk.becomes("denied", () => walk.failing(...patch("*.mygame.io")), /denied the request/);
  await walk.kubectl(...patch(""));
  await walk.shows("defaulted", await walk.kubectl("get", "game", "game-sample", "--output", "jsonpath={.spec.host}"));
});
