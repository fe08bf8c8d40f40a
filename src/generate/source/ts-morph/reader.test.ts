import { expect, it } from "vitest";
import { describeReader } from "../test-support/reader-suite.ts";
import { createTsMorphReader } from "./reader.ts";

describeReader("ts-morph", createTsMorphReader);

it("gives frozen data", async () => {
  const file = (await createTsMorphReader()).parse("/a.ts", "export interface A { a: string }");
  const [declaration] = file.declarations;
  expect(Object.isFrozen(file) && Object.isFrozen(declaration)).toBe(true);
});
