// The script's comparison, on a few CRDs of our own.
import { join } from "node:path";
import { expect, it } from "vitest";
import { crdsBelow, tryCrd } from "./crds.ts";

const crds = crdsBelow(join(import.meta.dirname, "testdata"));

it("finds the CRDs in a directory", () => {
  expect(crds.length).toBeGreaterThanOrEqual(6);
});

it.each(crds)("imports $name without a loss that isn't listed", async (crd) => {
  const { verdict, details } = await tryCrd(crd);
  expect({ verdict, details }).not.toMatchObject({ verdict: "not" });
});
