// Unit tests without processes: `import { fakeClient } from "@kubewright/runtime/testing"`.
export { type FakeClientOptions, fakeClient } from "./fake-client.ts";
export type { FakeIndex } from "./selection.ts";
export { type TestContext, testContext } from "./test-context.ts";
