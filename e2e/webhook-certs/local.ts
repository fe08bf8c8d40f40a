// Tests a cluster that calls the webhooks on this machine while the manager runs there.
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import type { Background } from "../lib/process.ts";
import { type Cluster, game, minute, uncounted } from "./cluster.ts";
import { change, definition, type Manifest } from "./project.ts";

/** Defines the tests. They leave the CRD installed, with one object. */
export function testLocalWebhooks(cluster: Cluster): void {
  describe("a cluster that calls the webhooks on this machine", { sequential: true }, () => {
    let flags: string[] = [];
    let before: Manifest;
    const serve = (...args: string[]): Background =>
      cluster.start([...args, ...flags], {
        cwd: cluster.root,
        env: { KUBECONFIG: cluster.kubeconfig, PATH: process.env.PATH },
      });
    /** The definition, without the ownership of `scaffold dev`, which applies it too. */
    const present = async (): Promise<Manifest> => {
      const { metadata, ...rest } = uncounted(await cluster.definition());
      const owners = (metadata.managedFields ?? []) as { manager: string }[];
      return {
        ...rest,
        metadata: { ...metadata, managedFields: owners.filter((owner) => owner.manager !== "kubewright-dev") },
      };
    };
    const expectNoChanges = async () => {
      expect(await cluster.configurations()).toEqual([]);
      expect(await present()).toEqual(before);
    };

    beforeAll(async () => {
      const { kubectl, root } = cluster;
      const port = await cluster.freePort();
      const url = `https://127.0.0.1:${port}`;
      flags = [`--webhook-local-url=${url}`, `--webhook-port=${port}`, "--health-probe-bind-address=0"];
      await kubectl.run("apply", "--server-side", "-k", join(root, "config/crd"));
      await kubectl.run("wait", "--for=condition=Established", "crd", definition, "--timeout=60s");
      // An object to convert.
      await kubectl.apply(JSON.stringify(game("kept")));
      before = await present();
    }, minute);

    it(
      "calls them while the manager runs, and has no changes left after SIGTERM",
      async () => {
        const manager = serve("dist/main.js");
        await cluster.answers();
        expect((await cluster.configurations()).map(({ metadata }) => metadata.name).sort()).toEqual([
          "op-mutating-webhook-configuration",
          "op-validating-webhook-configuration",
        ]);
        expect(await manager.end("SIGTERM"), manager.output).toBe(0);
        await expectNoChanges();
      },
      3 * minute,
    );

    it(
      "is restored at SIGINT by the next manager after a manager was killed",
      async () => {
        const killed = serve("dist/main.js");
        await cluster.answers();
        await killed.end("SIGKILL");
        await expect(cluster.create("taken")).rejects.toThrow("failed calling webhook");
        const manager = serve(scaffoldBin, "run", "--");
        await cluster.answers();
        expect(await manager.end("SIGINT"), manager.output).toBe(0);
        await expectNoChanges();
      },
      3 * minute,
    );

    it(
      "works with scaffold dev, which restarts the manager after a change",
      async () => {
        const dev = serve(scaffoldBin, "dev", "--cluster", "--yes", "--verbose", "--");
        await cluster.answers();
        const webhook = join(cluster.root, "src/webhook/v1/game-webhook.ts");
        change(webhook, "not this one", "nor that one");
        await eventually(() => expect(cluster.create("refused")).rejects.toThrow("nor that one"), minute);
        change(webhook, "nor that one", "not this one");
        await cluster.answers();
        // Each manager ended before the next one started.
        const lives = dev.output.match(/Starting manager|Wait completed/g) ?? [];
        expect(lives.filter((line, index) => line === lives[index + 1])).toEqual([]);
        expect(await dev.end("SIGINT"), dev.output).toBe(0);
        await expectNoChanges();
      },
      4 * minute,
    );

    it(
      "isn't changed with ENABLE_WEBHOOKS=false",
      async () => {
        const env = { KUBECONFIG: cluster.kubeconfig, ENABLE_WEBHOOKS: "false" };
        const manager = cluster.start(["dist/main.js", ...flags], { cwd: cluster.root, env });
        await eventually(() => expect(manager.output).toContain("No webhook is registered"));
        expect(await manager.end("SIGTERM"), manager.output).toBe(0);
        await expectNoChanges();
      },
      minute,
    );
  });
}
