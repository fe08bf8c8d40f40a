import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { simulateProject } from "./simulate.ts";

it("starts no simulation if the command was interrupted while it loaded", async () => {
  const reason = new Error("interrupted");
  const simulated = simulateProject({
    root: tmpdir(),
    env: {},
    progress: false,
    manifests: () => undefined,
    signal: AbortSignal.abort(reason),
  });
  await expect(simulated).rejects.toBe(reason);
});
