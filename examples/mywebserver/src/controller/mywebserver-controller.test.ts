import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Service } from "@kubewright/runtime/api/core/v1";
import { fakeClient, testContext } from "@kubewright/runtime/testing";
import { describe, expect, it } from "vitest";
import { MyWebserver, type MyWebserverSpec } from "#api/v2/index.ts";
import { MyWebserverReconciler } from "./mywebserver-controller.ts";

const key = { namespace: "default", name: "webapp" };

function cluster(spec: MyWebserverSpec) {
  const { apiVersion, kind } = MyWebserver;
  const client = fakeClient({ objects: [{ apiVersion, kind, metadata: { ...key }, spec } as MyWebserver] });
  const reconciler = new MyWebserverReconciler(client);
  return { client, reconcile: () => reconciler.reconcile(testContext(), key) };
}

describe("MyWebserverReconciler", () => {
  it("creates a Deployment and a Service with the image and port of the spec", async () => {
    const { client, reconcile } = cluster({ image: "nginx", port: 8080, replicas: 2 });
    await reconcile();
    const { metadata, spec } = await client.get(Deployment, key);
    expect(metadata.ownerReferences).toMatchObject([{ kind: "MyWebserver", name: "webapp", controller: true }]);
    expect(spec).toMatchObject({
      replicas: 2,
      template: { spec: { containers: [{ name: "web", image: "nginx", ports: [{ containerPort: 8080 }] }] } },
    });
    const service = await client.get(Service, key);
    expect(service.spec).toMatchObject({ selector: { app: "webapp" }, ports: [{ port: 8080, targetPort: 8080 }] });
  });

  it("applies changes, and writes nothing when nothing has changed", async () => {
    const { client, reconcile } = cluster({ image: "nginx", port: 80, replicas: 2 });
    await reconcile();
    await client.update({ ...(await client.get(MyWebserver, key)), spec: { image: "httpd", port: 81, replicas: 0 } });
    await reconcile();
    const look = () => Promise.all([client.get(Deployment, key), client.get(Service, key)]);
    const [deployment, service] = await look();
    expect(deployment.spec?.replicas).toBe(0);
    expect(deployment.spec?.template.spec?.containers).toMatchObject([
      { name: "web", image: "httpd", ports: [{ containerPort: 81 }] },
    ]);
    expect(service.spec?.ports).toMatchObject([{ port: 81, targetPort: 81 }]);
    await reconcile();
    expect(await look()).toEqual([deployment, service]);
  });

  it("does nothing for a deleted MyWebserver", async () => {
    const reconciler = new MyWebserverReconciler(fakeClient());
    await expect(reconciler.reconcile(testContext(), key)).resolves.toBeUndefined();
  });
});
