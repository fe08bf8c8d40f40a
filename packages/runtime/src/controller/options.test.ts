import { expect, it } from "vitest";
import { type ControllerOptions, settled } from "./options.ts";

it("settled uses the first value of several settings, and skips zero and undefined, but not false", () => {
  const own: ControllerOptions = { maxConcurrentReconciles: 0, recoverPanic: false, cacheSyncTimeout: undefined };
  const byKind: ControllerOptions = { maxConcurrentReconciles: 3 };
  const ofManager: ControllerOptions = { maxConcurrentReconciles: 2, recoverPanic: true, cacheSyncTimeout: 500 };
  expect(settled(own, byKind, ofManager)).toEqual({
    maxConcurrentReconciles: 3,
    recoverPanic: false,
    cacheSyncTimeout: 500,
  });
  expect(settled({ cacheSyncTimeout: -1 })).toEqual({});
});
