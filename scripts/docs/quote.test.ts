import { expect, it } from "vitest";
import { newLines, quote } from "./quote.ts";

const controller = "examples/game/src/controller/game-controller.ts";

it("a path quotes a whole file", () => {
  expect(quote("examples/game/config/samples/myapp_v1_game.yaml")).toMatch(
    /^apiVersion: .*\n[\s\S]*host: mygame.io\n$/,
  );
});

it("a name quotes all declarations with this name and the comments above them", () => {
  const game = quote("examples/game/api/v1/game-types.ts#Game");
  expect(game).toMatch(/^\/\/ \+kubebuilder:object:root=true\n/);
  expect(game).toMatch(/export interface Game extends [\s\S]*\n\nexport const Game = .*\n$/);
});

it("members are quoted without their indentation", () => {
  const text = quote(`${controller}#GameReconciler.reconcile,GameReconciler.setupWithManager`);
  expect(text).toMatch(/^async reconcile\(.*\n {2}const game = [\s\S]*\n}\n\nasync setupWithManager\([\s\S]*\n}\n$/);
});

it("the part :head quotes only the comments above a declaration", () => {
  expect(quote(`${controller}#GameReconciler:head`)).toMatch(/^(\/\/ \+kubebuilder:rbac:.*\n)+\n\/\*\* .*\*\/\n$/);
});

it.each([`${controller}#Nothing`, `${controller}#GameReconciler.nothing`, "examples/nothing.ts"])(
  "%s can't be quoted",
  (text) => {
    expect(() => quote(text)).toThrow();
  },
);

it.each([
  ["a\nb\nc\n", "a\nnew\nb\nc\n", "2"],
  ["a\nb\nc\n", "a\nx\ny\nc\nz\n", "2-3,5"],
  ["a\nb\n", "a\n", ""],
  ["", "a\nb\n", "1-2"],
])("newLines returns the lines that an earlier version doesn't have", (before, text, lines) => {
  expect(newLines(before, text)).toBe(lines);
});
