import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { markersReference } from "../src/generate/help/index.ts";

it("docs/reference/markers.md says what the registry says", () => {
  const text = readFileSync(join(import.meta.dirname, "../docs/reference/markers.md"), "utf8");
  expect(text, "run `npm run docs:reference`").toBe(markersReference());
});
