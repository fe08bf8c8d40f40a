import { expect, it, vi } from "vitest";
import { allowed } from "./admission/response.ts";
import { review, startServer } from "./server.fixture.ts";
import type { WebhookServer } from "./server.ts";

const simple = (server: WebhookServer) => server.register("/x", { handle: () => allowed() });

it("a webhook server accepts new connections during shutdownDelay after the stop signal", async () => {
  const t = await startServer(simple, { shutdownDelay: 5000 });
  const stopped = t.stop();
  expect((await review(t.port, "/x", {})).response.allowed).toBe(true);
  await stopped;
  await expect(review(t.port, "/x", {})).rejects.toThrow("ECONNREFUSED");
});

it("a webhook server in a Pod has a shutdownDelay by default", async () => {
  vi.stubEnv("KUBERNETES_SERVICE_HOST", "10.0.0.1");
  try {
    const t = await startServer(simple);
    const prompt = await startServer(simple, { shutdownDelay: 0 });
    const order: string[] = [];
    const stopped = t.stop().then(() => order.push("with the default"));
    expect((await review(t.port, "/x", {})).response.allowed).toBe(true);
    await prompt.stop();
    order.push("without a delay");
    await stopped;
    expect(order).toEqual(["without a delay", "with the default"]);
  } finally {
    vi.unstubAllEnvs();
  }
});
