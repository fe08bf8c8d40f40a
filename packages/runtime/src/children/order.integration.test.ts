import { describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { Job } from "../api/batch/v1.ts";
import { ConfigMap, Service } from "../api/core/v1.ts";
import { ctx, deploymentSpec, Game, key, labels, lines, setUp } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";

const service = { spec: { selector: labels, ports: [{ port: 80 }] } };

const rolledOut = { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" };

describe("order", () => {
  const ordered = childrenOf(
    Game,
    { service: Service, job: Job, deployment: Deployment, config: ConfigMap },
    { entries: { service: { after: ["deployment"] }, deployment: { after: ["config", "job"] } } },
  );
  const job = { spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "b" }] } } } };
  const wanted = { service, job, deployment: { spec: deploymentSpec() }, config: { data: { a: "1" } } };

  async function complete(client: Awaited<ReturnType<typeof setUp>>["server"], type: string) {
    const stored = await client.get(Job, key);
    const conditions = [{ type, status: "True" }];
    await client.status.update({ ...stored, status: { startTime: "2026-01-01T00:00:00Z", conditions } } as never);
  }

  it("an entry waits until those in its after are ready, and a Job must be complete", async () => {
    const { client, server, game } = await setUp();
    const run = async () => lines((await ordered.reconcile(ctx, client, game, wanted)).results);
    expect(await run()).toEqual([
      "config chess created",
      "job chess created",
      "deployment chess waiting",
      "service chess waiting",
    ]);
    await complete(server, "Suspended");
    expect((await run()).slice(2)).toEqual(["deployment chess waiting", "service chess waiting"]);
    await complete(server, "Complete");
    expect((await run()).slice(2)).toEqual(["deployment chess created", "service chess waiting"]);
    const deployment = await server.get(Deployment, key);
    const status = { observedGeneration: 1, replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    const conditions = [{ type: "Available", status: "True" }, rolledOut];
    await server.status.update({ ...deployment, status: { ...status, conditions } } as never);
    expect((await run()).slice(2)).toEqual(["deployment chess unchanged", "service chess created"]);
  });

  it("also delays later changes, also because of an old status", async () => {
    const { client, server, game } = await setUp();
    const pair = childrenOf(
      Game,
      { config: ConfigMap, deployment: Deployment },
      { entries: { config: { after: ["deployment"] } } },
    );
    const run = async (image: string) =>
      lines(
        (
          await pair.reconcile(ctx, client, game, {
            deployment: { spec: deploymentSpec(image) },
            config: { data: { image } },
          })
        ).results,
      );
    await run("a");
    const ready = async () => {
      const deployment = await server.get(Deployment, key);
      const { generation: observedGeneration } = deployment.metadata;
      const status = { observedGeneration, replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };
      const conditions = [{ type: "Available", status: "True" }, rolledOut];
      await server.status.update({ ...deployment, status: { ...status, conditions } } as never);
    };
    await ready();
    expect(await run("a")).toEqual(["deployment chess unchanged", "config chess created"]);
    expect(await run("b")).toEqual(["deployment chess configured", "config chess waiting"]);
    await ready();
    expect(await run("b")).toEqual(["deployment chess unchanged", "config chess configured"]);
  });

  it("a running Job doesn't prevent its owner from being ready", async () => {
    const { client, server, game } = await setUp();
    const jobs = childrenOf(Game, { job: Job });
    await jobs.reconcile(ctx, client, game, { job });
    await complete(server, "Suspended");
    const result = await jobs.reconcile(ctx, client, game, { job });
    expect(result.ready).toBe(true);
    expect(result.results[0]?.ready).toBe(false);
  });

  it("ready replaces the default, and its failure isn't an error", async () => {
    const { client, game } = await setUp();
    let answer: () => boolean = () => false;
    const own = childrenOf(
      Game,
      { config: ConfigMap, other: ConfigMap },
      { entries: { config: { ready: ({ data }) => data !== undefined && answer() }, other: { after: ["config"] } } },
    );
    const values = { config: { data: { a: "1" } }, other: { metadata: { name: "other" }, data: {} } };
    const run = async () => (await own.reconcile(ctx, client, game, values)).results;
    expect(lines(await run())).toEqual(["config chess created", "other other waiting"]);
    answer = () => {
      throw new Error("bug");
    };
    expect((await run())[0]).toMatchObject({ ready: false, message: "ready(…) failed: bug" });
    answer = () => true;
    expect(lines(await run())).toEqual(["config chess unchanged", "other other created"]);
  });
});

describe("contested", () => {
  it("a child that is configured more than ten times a minute with one hash backs off, and a warning names the other manager", async () => {
    const { client, server, game } = await setUp();
    const configs = childrenOf(Game, { config: ConfigMap });
    const wanted = { config: { data: { a: "1" } } };
    await configs.reconcile(ctx, client, game, wanted);
    const actions: string[] = [];
    let message = "";
    for (let count = 0; count < 12; count++) {
      const config = await server.get(ConfigMap, key);
      await server.update({ ...config, data: { a: "2" } }, { fieldOwner: "rival" });
      const { results } = await configs.reconcile(ctx, client, game, wanted);
      actions.push(results[0]?.action ?? "");
      message ||= results[0]?.message ?? "";
    }
    expect(actions).toEqual([...Array.from({ length: 10 }, () => "configured"), "contested", "contested"]);
    expect(message).toContain("rival changes it again and again");
    // A new hash isn't delayed.
    const { results } = await configs.reconcile(ctx, client, game, { config: { data: { a: "3" } } });
    expect(results[0]?.action).toBe("configured");
  });
});
