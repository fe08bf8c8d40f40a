import { describeClient, widgetCrd } from "./client-behaviour.fixture.ts";
import { fakeClient } from "./index.ts";

describeClient("the fake client", async () => ({
  client: fakeClient({ crds: [widgetCrd] }),
  close: async () => {},
}));
