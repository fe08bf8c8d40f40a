import {
  type Client,
  type Context,
  createOrUpdate,
  getControllerOf,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Reconciler,
  type Request,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { Website } from "./kinds.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/finalizers,verbs=update
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;update;delete

/** Keeps a ConfigMap for each page in the spec, and deletes those of pages that the spec no longer contains. */
export class PageReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const website = await ignoreNotFound(this.client.get(Website, req));
    if (!website || website.metadata.deletionTimestamp) return;
    const { namespace, name, uid } = website.metadata;
    const wanted = new Set((website.spec.pages ?? []).map((page) => `${name}-${page}`));

    for (const page of wanted) {
      const map: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: page } };
      await createOrUpdate(this.client, map, (found) => setControllerReference(website, found));
    }
    const { items } = await this.client.list(ConfigMap, { namespace });
    for (const map of items) {
      // Only its own children: the UID also excludes those of an earlier Website with the same name.
      if (getControllerOf(map)?.uid !== uid || wanted.has(map.metadata.name)) continue;
      await ignoreNotFound(this.client.delete(map));
    }
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Website).owns(ConfigMap).complete(this);
  }
}
