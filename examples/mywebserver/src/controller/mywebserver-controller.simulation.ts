import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Service } from "@kubewright/runtime/api/core/v1";
import { always, eventually, simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";
import { MyWebserver } from "#api/v2/index.ts";
import { MyWebserverReconciler } from "./mywebserver-controller.ts";

const key = { namespace: "default", name: "webapp" };

const webapp: MyWebserver = {
  apiVersion: MyWebserver.apiVersion,
  kind: MyWebserver.kind,
  metadata: { ...key },
  spec: { image: "nginx", port: 80, replicas: 2 },
};

it("converges whatever happens", async () => {
  await simulate({
    crdDirectoryPaths: ["config/crd/bases"],
    operator: async (mgr) => {
      await new MyWebserverReconciler(mgr.client).setupWithManager(mgr);
    },
    scenario: async (world) => {
      await world.client.create(webapp);
      await world.settled();
      await world.client.patch(MyWebserver, key, { spec: { port: 8080, replicas: 3 } });
      await world.settled();
      await world.client.delete(MyWebserver, key);
    },
    invariants: [
      always(
        "at most one Deployment and one Service per MyWebserver",
        (world) => world.list(Deployment).length <= 1 && world.list(Service).length <= 1,
      ),
      eventually("the Service and the Pods have the port of the MyWebserver", (world) => {
        const server = world.object(MyWebserver, key);
        const [container] = world.object(Deployment, key)?.spec?.template.spec?.containers ?? [];
        const ports = [container?.ports?.[0]?.containerPort, world.object(Service, key)?.spec?.ports?.[0]?.targetPort];
        return !server || ports.every((port) => port === server.spec.port);
      }),
    ],
  });
}, 60_000);
