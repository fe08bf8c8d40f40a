import { expect, it, vi } from "vitest";
import { allowed } from "./admission/response.ts";
import { review, startServer } from "./server.fixture.ts";
import type { WebhookServer } from "./server.ts";

const simple = (server: WebhookServer) => server.register("/x", { handle: () => allowed() });

it("a webhook server accepts new connections during shutdownDelay after the stop signal", async () => {
  const t = await startServer(simple, { shutdownDelay: 1000 });
  const began = performance.now();
  const stopped = t.stop();
  for (let turn = 0; turn < 3; turn++) {
    expect((await review(t.port, "/x", {})).response.allowed).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  await stopped;
  expect(performance.now() - began).toBeGreaterThan(990);
  await expect(review(t.port, "/x", {})).rejects.toThrow("ECONNREFUSED");
});

it("a webhook server in a Pod has a shutdownDelay by default", async () => {
  vi.stubEnv("KUBERNETES_SERVICE_HOST", "10.0.0.1");
  try {
    const t = await startServer(simple);
    const stopped = t.stop();
    expect((await review(t.port, "/x", {})).response.allowed).toBe(true);
    await stopped;
    const prompt = await startServer(simple, { shutdownDelay: 0 });
    const began = performance.now();
    await prompt.stop();
    expect(performance.now() - began).toBeLessThan(2000);
  } finally {
    vi.unstubAllEnvs();
  }
});
