import {
  type Client,
  type Context,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  setReady,
  setStalled,
} from "@kubewright/runtime";
import { Settings } from "./kinds.ts";

/** The name of the object that counts. The marker on the kind rejects all others:
 * `+kubebuilder:validation:XValidation:rule="self.metadata.name == 'default'",message="the name must be default"`. */
export const only = "default";

// +kubebuilder:rbac:groups=web.example.com,resources=settings,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=settings/status,verbs=get;update;patch

/** Reports which of the cluster's Settings is in use, for objects that are older than the rule. */
export class OnlyReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const settings = await ignoreNotFound(this.client.get(Settings, req));
    if (!settings || settings.metadata.deletionTimestamp) return;
    await patchStatus(this.client, settings, (copy) => {
      if (req.name === only) setReady(copy, { reason: "InUse" });
      else setStalled(copy, { reason: "Ignored", message: `only the object with the name ${only} is used` });
    });
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Settings).complete(this);
  }
}

/** Returns the registry for other controllers of the operator. It has a default, because the object may be missing. */
export async function registry(client: Client): Promise<string> {
  const settings = await ignoreNotFound(client.get(Settings, { name: only }));
  return settings?.spec.registry ?? "registry.example.com";
}
