import { describe, expect, it } from "vitest";
import { groupVersion, type Kind } from "../../src/api/kind.ts";
import { createListWatch, type ListWatch } from "../../src/cache/list-watch.ts";
import { TestEnvironment } from "../../src/envtest/index.ts";
import { eventually, Widget, widgetCRD } from "../../src/manager/widget.fixture.ts";
import { createTransport } from "../../src/transport/create-transport.ts";

/** Time limit of a watch in seconds. client-go's are between 300 and 600. */
const limit = 360;

/** Watches until the server ends the watch, and returns the types of its events. */
async function typesOf(listWatch: ListWatch, signal: AbortSignal): Promise<string[]> {
  let resourceVersion: string | undefined;
  // A new server refuses lists until its cache is filled.
  await eventually(async () => ({ resourceVersion } = await listWatch.list({ signal })), 60_000);
  const types: string[] = [];
  const stream = await listWatch.watch({ resourceVersion, timeoutSeconds: limit, signal });
  for await (const line of stream) types.push((line as { type: string }).type);
  return types;
}

describe("an idle watch isn't interrupted before its time limit", () => {
  it.concurrent.each(["binaries", "embedded"] as const)("with the engine %s", async (engine) => {
    const environment = new TestEnvironment({ engine, crds: [widgetCRD] });
    const transport = createTransport(await environment.start());
    const watched = (kind: Kind, plural: string): Promise<string[]> => {
      const mapping = async (): Promise<{ plural: string; namespaced: boolean }> => ({ plural, namespaced: true });
      const listWatch = createListWatch({ transport, mapping, kind, scope: {} });
      return typesOf(listWatch, new AbortController().signal);
    };
    try {
      const secret = groupVersion("", "v1").kind("Secret");
      const watches = await Promise.all([watched(secret, "secrets"), watched(Widget, "widgets")]);
      for (const types of watches) {
        expect(new Set(types)).toEqual(new Set(["BOOKMARK"]));
        // The first bookmark comes after one or two minutes.
        expect(types.length).toBeGreaterThanOrEqual(4);
      }
    } finally {
      await transport.close();
      await environment.stop();
    }
  });
});
