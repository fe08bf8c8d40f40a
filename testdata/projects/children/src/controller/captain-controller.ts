/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import {
  childrenOf,
  type Client,
  type Context,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { Captain } from "#api/v1/index.ts";

/** The objects that a Captain needs. The runtime creates and changes them, and deletes those that aren't wanted anymore. */
const captainChildren = childrenOf(Captain, { config: ConfigMap });

// +kubebuilder:rbac:groups=crew.example.com,resources=captains,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=crew.example.com,resources=captains/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=crew.example.com,resources=captains/finalizers,verbs=update
// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

/** CaptainReconciler reconciles Captain objects. */
export class CaptainReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /**
   * Runs when a Captain is created, updated or deleted, and when an object that setupWithManager watches for it changes.
   * Compare the desired state with the actual state and apply the difference. Reconcile must be idempotent.
   * If it throws, the request is retried with exponential back-off. Return a Result with requeueAfter to schedule another run.
   */
  async reconcile(ctx: Context, req: Request): Promise<void> {
    const object = await ignoreNotFound(this.client.get(Captain, req));
    if (!object) return;
    ctx.log.debug("Reconciling", { generation: object.metadata.generation });

    // Replace the example. A child that is undefined isn't wanted, and is deleted.
    const { setStatus, throwIfFailed } = await captainChildren.reconcile(ctx, this.client, object, {
      config: {
        data: { owner: object.metadata.name },
      },
    });

    // Helm, Flux and kubectl wait for this: Ready, Reconciling or Stalled, by the children.
    await patchStatus(this.client, object, (copy) => {
      setStatus(copy);
    });
    throwIfFailed();
  }

  /** Sets up the controller with the manager, and declares which objects trigger a reconcile. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Captain).manages(captainChildren).named("captain").complete(this);
  }
}
