import {
  addFinalizer,
  type Client,
  type Context,
  containsFinalizer,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  type Result,
  removeFinalizer,
  setReady,
} from "@kubewright/runtime";
import { Bucket } from "./kinds.ts";

/** The API of a cloud. Each call is idempotent. */
export interface BucketApi {
  region(id: string, signal: AbortSignal): Promise<string | undefined>;
  create(id: string, region: string, signal: AbortSignal): Promise<void>;
  remove(id: string, signal: AbortSignal): Promise<void>;
}

const finalizer = "web.example.com/bucket";

// +kubebuilder:rbac:groups=web.example.com,resources=buckets,verbs=get;list;watch;update;patch
// +kubebuilder:rbac:groups=web.example.com,resources=buckets/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=web.example.com,resources=buckets/finalizers,verbs=update

/** Keeps a bucket of a cloud for each Bucket, and removes it before the object. */
export class BucketReconciler implements Reconciler {
  readonly client: Client;
  readonly api: BucketApi;

  constructor(client: Client, api: BucketApi) {
    this.client = client;
    this.api = api;
  }

  async reconcile({ signal }: Context, req: Request): Promise<Result | undefined> {
    let bucket = await ignoreNotFound(this.client.get(Bucket, req));
    if (!bucket) return undefined;
    // The UID, because another object can have the same name later.
    const id = bucket.metadata.uid;

    if (bucket.metadata.deletionTimestamp) {
      if (!containsFinalizer(bucket, finalizer)) return undefined;
      await this.api.remove(id, signal);
      removeFinalizer(bucket, finalizer);
      await this.client.update(bucket);
      return undefined;
    }

    // Stored before the bucket is created, so that the object can't disappear without it.
    if (addFinalizer(bucket, finalizer)) bucket = await this.client.update(bucket);
    if ((await this.api.region(id, signal)) === undefined) await this.api.create(id, bucket.spec.region, signal);
    await patchStatus(this.client, bucket, (copy) => {
      setReady(copy, { reason: "Created" });
    });
    // The cloud sends no events, so look again.
    return { requeueAfter: 10 * 60_000 };
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Bucket).complete(this);
  }
}
