// The imports of tests.
export { findBinary, startOperator, TestEnvironment } from "@kubewright/runtime/envtest";
export {
  consistently,
  eventually,
  fakeClient,
  fakeRecorder,
  testContext,
  testLogger,
  VirtualClock,
} from "@kubewright/runtime/testing";
export { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
