import { simulate } from "@kubewright/runtime/simulation";
import { newControllerManagedBy, createOrUpdate, setControllerReference, ignoreNotFound, groupVersion } from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
const Shop = groupVersion("simulation.test","v1").kind("Shop");
const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "shops.simulation.test" },
  spec: { group: "simulation.test", names: { plural: "shops", singular: "shop", kind: "Shop", listKind: "ShopList" }, scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } }] } };
const key = { namespace: "default", name: "a" };
const child = process.argv[2] === "child";
const t = performance.now();
const r = await simulate({ crds: [crd], seeds: Number(process.argv[3] ?? 300), ...(process.argv[4] ? { faults: process.argv[4] === "no" ? [] : process.argv[4].split(",") } : {}),
  operator: async (mgr) => { const b = newControllerManagedBy(mgr).for(Shop); if (child) b.owns(Deployment); await b.complete({ async reconcile(_c, req) {
    const found = await ignoreNotFound(mgr.client.get(Shop, req)); if (!found || found.metadata.deletionTimestamp || !child) return {};
    const d = { apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace: "default", name: found.metadata.name } };
    await createOrUpdate(mgr.client, d, (o) => { setControllerReference(found, o); o.spec ??= { selector: { matchLabels: { shop: "a" } }, template: { metadata: { labels: { shop: "a" } }, spec: { containers: [{ name: "shop", image: "shop" }] } } }; o.spec.replicas = found.spec.replicas; });
    const ready = d.status?.readyReplicas ?? 0; if (found.status?.ready !== ready) await mgr.client.status.update({ ...found, status: { ready } });
    return {};
  } }); },
  scenario: async (w) => { await w.client.create({ apiVersion: "simulation.test/v1", kind: "Shop", metadata: key, spec: { replicas: 1 } }); await w.settled(); await w.client.patch(Shop, key, { spec: { replicas: 3 } }); await w.settled(); await w.client.delete(Shop, key); },
});
const c = process.cpuUsage(); console.log("cpu ms per schedule", ((c.user + c.system) / 1000 - 400) / r.schedules); console.log(r.schedules / r.seconds, "per second", r.seconds, JSON.stringify(r.faults));
