// What tests import.
export { findBinary, TestEnvironment } from "@kubewright/runtime/envtest";
export {
  consistently,
  eventually,
  fakeClient,
  fakeRecorder,
  testContext,
  VirtualClock,
} from "@kubewright/runtime/testing";
export { afterAll, beforeAll, expect, it } from "vitest";
