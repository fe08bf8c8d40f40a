import {
  type Client,
  type Context,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  parseDuration,
  type Reconciler,
  type Request,
  type Result,
} from "@kubewright/runtime";
import { Preview } from "./kinds.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=previews,verbs=get;list;watch;delete

/** Deletes each Preview some time after its creation. */
export class PreviewReconciler implements Reconciler {
  readonly client: Client;
  readonly now: () => Date;

  constructor(client: Client, now: () => Date = () => new Date()) {
    this.client = client;
    this.now = now;
  }

  async reconcile(_ctx: Context, req: Request): Promise<Result | undefined> {
    const preview = await ignoreNotFound(this.client.get(Preview, req));
    if (!preview || preview.metadata.deletionTimestamp) return undefined;
    const end = Date.parse(preview.metadata.creationTimestamp ?? "") + parseDuration(preview.spec.ttl);
    const wait = end - this.now().getTime();
    if (wait > 0) return { requeueAfter: wait };
    // A newer object of the same name stays: the precondition contains the UID of the expired one.
    await ignoreNotFound(this.client.delete(preview, { preconditions: { uid: preview.metadata.uid } }));
    return undefined;
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Preview).complete(this);
  }
}
