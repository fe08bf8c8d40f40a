import {
  AlreadyOwnedError,
  type Client,
  type Context,
  createOrUpdate,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  setControllerReference,
  setReady,
  setStalled,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { Website } from "./kinds.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/finalizers,verbs=update
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;update

/** Takes over a ConfigMap that existed before the Website, unless another controller owns it. */
export class SettingsReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const website = await ignoreNotFound(this.client.get(Website, req));
    if (!website || website.metadata.deletionTimestamp) return;

    const { namespace, name } = website.metadata;
    const settings: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name } };
    let owner: string | undefined;
    try {
      await createOrUpdate(this.client, settings, (found) => {
        setControllerReference(website, found);
        // Keep the entries that the Website doesn't set.
        found.data = { ...found.data, ...website.spec.settings };
      });
    } catch (error) {
      if (!(error instanceof AlreadyOwnedError)) throw error;
      owner = `${error.owner.kind} ${error.owner.name}`;
    }
    await patchStatus(this.client, website, (copy) => {
      if (owner === undefined) setReady(copy, { reason: "Applied" });
      else setStalled(copy, { reason: "NotOwned", message: `${owner} owns the ConfigMap ${name}` });
    });
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Website).owns(ConfigMap).complete(this);
  }
}
