// Tests two replicas that manage their certificates with only the permissions of the project.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import type { Background } from "../lib/process.ts";
import { type Service, startService } from "../lib/service.ts";
import { type Cluster, minute, uncounted } from "./cluster.ts";
import { startLoad } from "./load.ts";
import { deployment, installBundle, type Manifest, managerOf } from "./project.ts";

interface Replica {
  process: Background;
  port: number;
  health: string;
}

export interface ReplicaTests {
  /** Whether the certificates reach the age for renewal during the tests; otherwise the tests force renewals. */
  readonly ages: boolean;
  /** Number of concurrent calls. */
  readonly callers: number;
}

/** Whether a call failed because its connection was lost. Rejections, timeouts and untrusted certificates don't count. */
const isLost = (message: string) =>
  message.includes("failed to call webhook: Post") && !/x509|tls:|deadline|i\/o timeout|Client\.Timeout/.test(message);

/** Defines the tests. The CRD may exist already, and is installed again. */
export function testReplicas(cluster: Cluster, { ages, callers }: ReplicaTests): void {
  describe(`two replicas in a cluster with ${callers} concurrent calls`, { sequential: true }, () => {
    const replicas: Replica[] = [];
    let service: Service;
    let manifests: Manifest[] = [];
    let main = "";
    let image = "";

    beforeAll(async () => {
      const { kubectl, root, parent } = cluster;
      service = await startService();
      manifests = await deployment(root, `https://127.0.0.1:${service.port}`);
      image = join(parent, "image");
      main = installBundle(root, image);
      // The CRDs of `make install` refer to a Service.
      await kubectl.run("delete", "-k", join(root, "config/crd"), "--wait", "--ignore-not-found");
      await apply(manifests);
      await kubectl.writeKubeconfig(join(image, "kubeconfig"), "op-system", "op-controller-manager");
    }, 2 * minute);
    afterAll(() => service?.close());

    /** Applies objects as `make deploy` does. Without `force`, fails if fields have other owners. */
    const apply = (objects: readonly Manifest[], { force = true } = {}) =>
      cluster.kubectl.serverSide(JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }), { force });
    const add = async (): Promise<Replica> => {
      const [port, health] = [await cluster.freePort(), await cluster.freePort()];
      const { env, args } = managerOf(manifests);
      const own = [`--webhook-port=${port}`, `--health-probe-bind-address=127.0.0.1:${health}`, "--leader-elect=false"];
      const process = cluster.start([main, ...args, ...own, "--metrics-bind-address=0"], {
        cwd: image,
        env: { ...env, KUBECONFIG: join(image, "kubeconfig") },
      });
      const replica = { process, port, health: `http://127.0.0.1:${health}/readyz` };
      replicas.push(replica);
      return replica;
    };
    const enter = async (...added: Replica[]) => {
      for (const { health, port, process } of added) {
        const status = () => fetch(health).then((answer) => answer.status, String);
        await eventually(async () => expect(await status(), process.output).toBe(200), minute);
        service.endpoints.push(port);
      }
    };
    /** Removes the oldest replica from the Service. */
    const leave = (): Replica => {
      const [oldest] = replicas.splice(0, 1);
      if (!oldest) throw new Error("no replica runs");
      service.endpoints.splice(service.endpoints.indexOf(oldest.port), 1);
      return oldest;
    };
    const call = () => startLoad(() => cluster.create("taken"), callers);
    const secret = async (): Promise<Record<string, string>> => {
      const place = ["secret", "op-webhook-server-cert", "--namespace", "op-system"];
      return JSON.parse(await cluster.kubectl.run("get", ...place, "-o", "json")).data ?? {};
    };
    const setData = (data: Record<string, string | null>) => {
      const place = ["secret", "op-webhook-server-cert", "--namespace", "op-system"];
      return cluster.kubectl.run("patch", ...place, "--type=merge", "-p", JSON.stringify({ data }));
    };
    const bundles = async () => [
      ...(await cluster.configurations()).flatMap(({ webhooks }) =>
        webhooks.map(({ clientConfig }: Manifest) => clientConfig.caBundle),
      ),
      (await cluster.definition()).spec.conversion.webhook.clientConfig.caBundle,
    ];

    it(
      "create one certificate in the empty Secret, and write its CA to all webhook clients",
      async () => {
        expect(await secret()).toEqual({});
        await enter(...(await Promise.all([add(), add()])));
        const data = await secret();
        expect(Object.keys(data).sort()).toEqual(["ca.crt", "ca.key", "tls.crt", "tls.key"]);
        expect(new Set(await bundles())).toEqual(new Set([data["ca.crt"]]));
        await cluster.answers();
      },
      3 * minute,
    );

    it("write with the project's name as field manager", async () => {
      const managers = "jsonpath={.metadata.managedFields[*].manager}";
      const place = ["secret", "op-webhook-server-cert", "--namespace", "op-system", "--show-managed-fields"];
      expect((await cluster.kubectl.run("get", ...place, "-o", managers)).split(" ")).toContain("op");
    });

    it("renew their certificate without a failed call", async () => {
      const load = call();
      const { "tls.crt": first = "", "ca.crt": firstAuthority = "" } = await secret();
      const shown = new Set([first]);
      const authorities = new Set([firstAuthority]);
      const renewed = (count: number) =>
        eventually(async () => {
          const { "tls.crt": certificate, "ca.crt": authority } = await secret();
          if (certificate) shown.add(certificate);
          if (authority) authorities.add(authority);
          expect(shown.size).toBeGreaterThanOrEqual(count);
        }, 3 * minute);
      if (ages) {
        await renewed(4);
        // The first CA, both CAs, and only the second one.
        expect(authorities.size).toBeGreaterThanOrEqual(3);
        expect(await bundles()).not.toContain(firstAuthority);
      } else {
        for (const count of [2, 3]) {
          await setData({ "tls.crt": null, "tls.key": null });
          await renewed(count);
        }
        expect([...authorities]).toEqual([firstAuthority]);
      }
      const { calls, failed } = await load.stop();
      console.info(`${calls} calls, ${shown.size} certificates, ${authorities.size} bundles, ${failed.length} failed`);
      expect(failed.slice(0, 3)).toEqual([]);
      expect(calls).toBeGreaterThan(callers);
      await cluster.answers();
    }, 300_000);

    it(
      "lose only the pending calls of a killed replica",
      async () => {
        const load = call();
        const [killed] = replicas;
        await killed?.process.end("SIGKILL");
        leave();
        await cluster.answers();
        const { failed } = await load.stop();
        expect(failed.filter((message) => !isLost(message))).toEqual([]);
      },
      3 * minute,
    );

    it(
      "share their certificate with a new replica without a failed call",
      async () => {
        const { "tls.crt": before } = await secret();
        const load = call();
        await enter(await add());
        if (!ages) expect((await secret())["tls.crt"]).toBe(before);
        expect((await load.stop()).failed.slice(0, 3)).toEqual([]);
        await cluster.answers();
      },
      3 * minute,
    );

    // This takes as long as a rolling update.
    if (ages) {
      it(
        "replace a replica at SIGTERM without a failed call",
        async () => {
          const load = call();
          await enter(await add());
          const leaving = leave();
          expect(await leaving.process.end("SIGTERM"), leaving.process.output).toBe(0);
          const { calls, failed } = await load.stop();
          expect(failed.slice(0, 3)).toEqual([]);
          expect(calls).toBeGreaterThan(callers);
        },
        3 * minute,
      );
    }

    it(
      "continue without their Secret, and fill a new one without a failed call",
      async () => {
        const before = await secret();
        const load = call();
        // The client is used instead of kubectl, which is slow under load. The certificates soon expire, and can't be
        // renewed without the Secret.
        const empty = manifests.find(({ kind }) => kind === "Secret");
        await cluster.client.delete(empty);
        await cluster.create("taken");
        await cluster.client.create(empty);
        await eventually(async () => expect((await secret())["ca.crt"]).toBeTruthy(), minute);
        if (!ages) expect(await secret()).toEqual(before);
        const { calls, failed } = await load.stop();
        expect(failed.slice(0, 3)).toEqual([]);
        expect(calls).toBeGreaterThan(callers);
        await cluster.answers();
        expect(new Set(await bundles())).toEqual(new Set([(await secret())["ca.crt"]]));
      },
      5 * minute,
    );

    it("were never denied a request", () => {
      for (const { process } of replicas) expect(process.output).not.toMatch(/forbidden/i);
    });

    it(
      "are replaced by a manager on this machine, which restores everything at its end for the next deployment",
      async () => {
        const isValidating = ({ kind }: Manifest) => kind === "ValidatingWebhookConfiguration";
        const more = (object: Manifest) => ({
          ...object,
          webhooks: [...object.webhooks, { ...object.webhooks[0], name: "second.kb.io" }],
        });
        await apply(manifests.map((manifest) => (isValidating(manifest) ? more(manifest) : manifest)));
        await eventually(async () => expect(new Set(await bundles()).size).toBe(1), minute);
        const before = await cluster.configurations();
        expect(before.flatMap(({ webhooks }) => webhooks)).toHaveLength(3);
        const definition = await cluster.definition();

        const port = await cluster.freePort();
        const flags = [`--webhook-local-url=https://127.0.0.1:${port}`, `--webhook-port=${port}`];
        const manager = cluster.start(["dist/main.js", ...flags, "--health-probe-bind-address=0"], {
          cwd: cluster.root,
          env: { KUBECONFIG: cluster.kubeconfig },
        });
        await eventually(async () => {
          expect(JSON.stringify(await cluster.configurations())).toContain(`:${port}/validate`);
          await expect(cluster.create("refused")).rejects.toThrow("not this one");
        }, minute);
        expect(await manager.end("SIGTERM"), manager.output).toBe(0);
        if (!ages) {
          expect((await cluster.configurations()).map(uncounted)).toEqual(before.map(uncounted));
          expect(uncounted(await cluster.definition())).toEqual(uncounted(definition));
        }
        await cluster.answers();

        const ignoring = (object: Manifest) => ({
          ...object,
          webhooks: object.webhooks.map((webhook: Manifest) => ({ ...webhook, failurePolicy: "Ignore" })),
        });
        await apply(manifests.filter(isValidating).map(ignoring), { force: false });
        const validating = (await cluster.configurations()).find(isValidating);
        expect(validating.webhooks).toMatchObject([{ failurePolicy: "Ignore" }]);
        expect(validating.webhooks[0].name).not.toBe("second.kb.io");
        await cluster.answers();
      },
      3 * minute,
    );
  });
}
