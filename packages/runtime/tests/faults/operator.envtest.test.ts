import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TokenRequest } from "../../src/api/authentication/v1.ts";
import type { KubernetesObject } from "../../src/api/index.ts";
import type { Client } from "../../src/client/client.ts";
import { TestEnvironment } from "../../src/envtest/index.ts";
import { widgetCRD } from "../../src/manager/widget.fixture.ts";
import { directClient } from "./operator.ts";
import { inScene } from "./scene.ts";
import type { Cut } from "./treatment.ts";

const environment = new TestEnvironment({ crds: [widgetCRD] });
const scratch = mkdtempSync(join(tmpdir(), "kubewright-faults-"));
let client: Client;
let closeClient: () => Promise<void>;

beforeAll(async () => {
  const direct = directClient(await environment.start());
  client = direct.client;
  closeClient = direct.close;
});

afterAll(async () => {
  await closeClient();
  await environment.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** Creates a service account with all permissions, and returns a token for it. */
async function newToken(name: string): Promise<string> {
  const metadata = { name, namespace: "default" };
  const account = await client.create({ apiVersion: "v1", kind: "ServiceAccount", metadata });
  await client.create({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", ...metadata }],
  } as KubernetesObject);
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} } as TokenRequest;
  const answer = await client.subResource("token").create(account, request);
  return (answer as unknown as { status: { token: string } }).status.token;
}

const unauthorized = {
  status: 401,
  body: JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: "Unauthorized",
    message: "Unauthorized",
    code: 401,
  }),
};

describe("an operator behind a faulty proxy", { concurrent: true }, () => {
  it("I5: continues when its watches are cut every second, in each way", async () => {
    await inScene({ environment, client, namespace: "cut" }, async ({ proxy, paint, reconciled, trouble }) => {
      for (const cut of ["reset", "half-close", "end"] satisfies Cut[]) {
        await sleep(1000);
        expect(proxy.cutWatches(cut)).toBeGreaterThan(0);
        await paint(cut, "blue");
        await reconciled(cut, "blue");
      }
      expect(trouble().length).toBeLessThanOrEqual(3);
    });
  });

  it("uses the new token immediately if the file has changed and the server rejects the old token", async () => {
    const [old, next] = [await newToken("old"), await newToken("next")];
    const tokenFile = join(scratch, "rotated");
    writeFileSync(tokenFile, old);
    const scene = { environment, client, namespace: "rotated", access: { tokenFile } };
    await inScene(scene, async ({ proxy, operator, paint, reconciled }) => {
      writeFileSync(tokenFile, next);
      proxy.requests.length = 0;
      proxy.fault = ({ authorization }) => (authorization === `Bearer ${next}` ? undefined : { answer: unauthorized });
      proxy.cutWatches("reset");
      await paint("rotated", "blue");
      await reconciled("rotated", "blue");
      expect(proxy.requests.filter(({ authorization }) => authorization === `Bearer ${next}`).length).toBeGreaterThan(
        2,
      );
      // Only requests that were in flight during the change, and none of them twice.
      expect(proxy.requests.filter(({ status }) => status === 401).length).toBeLessThan(5);
      expect(operator.lines.filter(({ level }) => level === "error")).toEqual([]);
    });
  });

  it("logs that the server rejects its token, and continues with the next one", async () => {
    const [old, next] = [await newToken("refused"), await newToken("late")];
    const tokenFile = join(scratch, "late");
    writeFileSync(tokenFile, old);
    const scene = { environment, client, namespace: "late", access: { tokenFile } };
    await inScene(scene, async ({ proxy, paint, reconciled, trouble }) => {
      proxy.requests.length = 0;
      proxy.fault = ({ authorization }) => (authorization === `Bearer ${next}` ? undefined : { answer: unauthorized });
      proxy.cutWatches("end");
      await paint("late", "blue");
      await sleep(2500);
      expect(trouble()).toEqual([expect.stringContaining("Unauthorized")]);
      expect(proxy.requests.filter(({ status }) => status === 401).length).toBeLessThan(15);
      writeFileSync(tokenFile, next);
      await reconciled("late", "blue");
    });
  });
});
