import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { shortLifeFlags } from "./short-lived.ts";

it("this Node knows the flags, and complains of none", () => {
  const { status, stderr } = spawnSync(process.execPath, [...shortLifeFlags(process.versions.v8), "-e", "0"], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

it("an unknown V8 is left alone", () => {
  expect(shortLifeFlags("99.1.2")).toEqual([]);
});
