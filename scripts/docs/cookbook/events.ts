import {
  type Client,
  type Context,
  type EventRecorder,
  ignoreNotFound,
  isStatusConditionTrue,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  setReady,
} from "@kubewright/runtime";
import { Website } from "./kinds.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

/** Publishes an event once, when a Website becomes ready, and not in each reconcile. */
export class AnnouncingReconciler implements Reconciler {
  readonly client: Client;
  readonly recorder: EventRecorder;

  constructor(client: Client, recorder: EventRecorder) {
    this.client = client;
    this.recorder = recorder;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const website = await ignoreNotFound(this.client.get(Website, req));
    if (!website || website.metadata.deletionTimestamp) return;
    const stored = await patchStatus(this.client, website, (copy) => {
      setReady(copy, { reason: "Online" });
    });
    // After the write: if it fails, the next reconcile publishes the event.
    if (isStatusConditionTrue(stored, "Ready") && !isStatusConditionTrue(website, "Ready"))
      this.recorder.event(website, "Normal", "Online", "The website is online");
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Website).complete(this);
  }
}
