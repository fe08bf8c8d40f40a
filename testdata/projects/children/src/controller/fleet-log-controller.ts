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
  type Reconciler,
  type Request,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { Fleet } from "#api/v1/index.ts";

/** The objects that a Fleet needs. The runtime creates and changes them, and deletes those that aren't wanted anymore. */
const fleetLogChildren = childrenOf(Fleet, { config: ConfigMap }, { fieldOwner: "fleet-log-controller" });

// +kubebuilder:rbac:groups=crew.example.com,resources=fleets,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=crew.example.com,resources=fleets/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=crew.example.com,resources=fleets/finalizers,verbs=update
// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

/** FleetLogReconciler reconciles Fleet objects. */
export class FleetLogReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /**
   * Runs when a Fleet is created, updated or deleted, and when an object that setupWithManager watches for it changes.
   * Compare the desired state with the actual state and apply the difference. Reconcile must be idempotent.
   * If it throws, the request is retried with exponential back-off. Return a Result with requeueAfter to schedule another run.
   */
  async reconcile(ctx: Context, req: Request): Promise<void> {
    const object = await ignoreNotFound(this.client.get(Fleet, req));
    if (!object) return;
    ctx.log.debug("Reconciling", { generation: object.metadata.generation });

    // Replace the example. A child that is undefined isn't wanted, and is deleted.
    const { throwIfFailed } = await fleetLogChildren.reconcile(ctx, this.client, object, {
      config: {
        metadata: { namespace: "default", name: `${object.metadata.name}-fleet-log` },
        data: { owner: object.metadata.name },
      },
    });
    throwIfFailed();
  }

  /** Sets up the controller with the manager, and declares which objects trigger a reconcile. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Fleet).manages(fleetLogChildren).named("fleet-log").complete(this);
  }
}
