import { type Client, type Context, groupVersion, ignoreNotFound, type KubernetesObject, newControllerManagedBy, type Request } from "@kubewright/runtime";
import { eventually, simulate } from "@kubewright/runtime/simulation";
import { it } from "vitest";

interface Bucket extends KubernetesObject {
  spec: { size?: number };
}

const Bucket = groupVersion("example.com", "v1").kind<Bucket>("Bucket");
const key = { namespace: "default", name: "photos" };
const finalizer = "example.com/bucket";

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "buckets.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "buckets", singular: "bucket", kind: "Bucket", listKind: "BucketList" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

const cloud = {
  names: new Set<string>(),
  async create(name: string) {
    cloud.names.add(name);
  },
  async remove(name: string) {
    cloud.names.delete(name);
  },
};

class BucketReconciler {
  constructor(private readonly client: Client) {}

  async reconcile(_ctx: Context, request: Request): Promise<void> {
    const bucket = await ignoreNotFound(this.client.get(Bucket, request));
    if (!bucket) return;
    const { name, finalizers = [], deletionTimestamp } = bucket.metadata;
    const mark = async (wanted: string[]) => {
      if (wanted.length === finalizers.length) return;
      await this.client.update({ ...bucket, metadata: { ...bucket.metadata, finalizers: wanted } });
    };
    if (deletionTimestamp) {
      if (!finalizers.includes(finalizer)) return;
      await cloud.remove(name);
      return mark(finalizers.filter((one) => one !== finalizer));
    }
    const marked = finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
    await mark(marked);
    await cloud.create(name);
  }
}

it("leaves no bucket behind", async () => {
  await simulate({
    crds: [definition],
    external: cloud,
    operator: async (mgr) => {
      const reconciler = new BucketReconciler(mgr.client);
      await newControllerManagedBy(mgr).for(Bucket).complete(reconciler);
    },
    scenario: async (world) => {
      await world.client.create({ apiVersion: "example.com/v1", kind: "Bucket", metadata: key, spec: {} });
      await world.settled();
      await world.client.delete(Bucket, key);
    },
    invariants: [eventually("no bucket without its object", (world) => cloud.names.size <= world.list(Bucket).length)],
  });
}, 60_000);
