import { expect, it } from "vitest";
import { type ControllerOptions, settled } from "./options.ts";

it("of several settings the first that is given counts; zero and undefined aren't given, false is", () => {
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
