// Unit tests without processes: `import { fakeClient } from "@kubewright/runtime/testing"`.

export { VirtualClock } from "../clock/virtual-clock.ts";
export { type ConsistentlyOptions, consistently, type EventuallyOptions, eventually } from "./eventually.ts";
export { type FakeClientOptions, type FakeIndex, fakeClient } from "./fake-client.ts";
export { type FakeRecorder, fakeRecorder, type RecordedEvent } from "./fake-recorder.ts";
export { type TestContext, testContext } from "./test-context.ts";
export { type BeforeEach, testLogger } from "./test-logger.ts";
