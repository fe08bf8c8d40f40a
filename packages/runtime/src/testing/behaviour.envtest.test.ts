// Runs the tests of the fake client with a real server, because both must behave the same.
import { createLiveClient } from "../client/live-client.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { createTransport } from "../transport/create-transport.ts";
import { describeClient, widgetCrd } from "./client-behaviour.fixture.ts";

describeClient("a real server", async () => {
  const environment = new TestEnvironment({ crds: [widgetCrd] });
  const transport = createTransport(await environment.start());
  return {
    client: createLiveClient({ transport, mapper: createRestMapper(transport) }),
    close: async () => {
      await transport.close();
      await environment.stop();
    },
  };
});
