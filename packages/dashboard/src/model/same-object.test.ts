import { expect, it } from "vitest";
import { isSameObject } from "./same-object.ts";

const chess = { apiVersion: "game.example.com/v1", kind: "Game", namespace: "default", name: "chess" };

it.each([
  ["the same object", {}, true],
  ["another version of its group", { apiVersion: "game.example.com/v1beta1" }, true],
  ["a record without a version", { apiVersion: undefined }, true],
  ["another group", { apiVersion: "other.example.com/v1" }, false],
  ["the core group", { apiVersion: "v1" }, false],
  ["another kind", { kind: "Match" }, false],
  ["another namespace", { namespace: "other" }, false],
  ["another name", { name: "go" }, false],
] as const)("%s", (_name, changes, expected) => {
  const { apiVersion, ...other } = { ...chess, ...changes };
  expect(isSameObject(chess, { ...other, ...(apiVersion === undefined ? {} : { apiVersion }) })).toBe(expected);
});
