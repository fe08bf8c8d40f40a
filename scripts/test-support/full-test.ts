import { it, type TestContext } from "vitest";
import { thorough } from "./thorough.ts";

/**
 * Defines a test that only full runs have, because it takes longer than a few seconds and `npm test` has others of its kind.
 *
 * @param name - the name
 * @param test - the test
 */
export const fullTest: (name: string, test: (context: TestContext) => void | Promise<void>) => void = thorough
  ? it
  : () => undefined;
