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
  type Client,
  type Context,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  type Reconciler,
  type Request,
} from "@kubewright/runtime";
import { Log } from "../../../api/crew.pay/v1/index.ts";

// +kubebuilder:rbac:groups=crew.pay.qingwave.github.io,resources=logs,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=crew.pay.qingwave.github.io,resources=logs/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=crew.pay.qingwave.github.io,resources=logs/finalizers,verbs=update

/** LogReconciler brings the cluster to what each Log asks for. */
export class LogReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /**
   * Called for each Log that was made, changed or deleted, and again whenever something that belongs to it changed.
   * Compare what it asks for with what there is and change the difference; called twice, the second call has nothing to do.
   * An error that is thrown leads to another attempt, later each time; a Result with requeueAfter asks for one on purpose.
   */
  async reconcile(ctx: Context, req: Request): Promise<void> {
    const object = await ignoreNotFound(this.client.get(Log, req));
    if (!object) return;
    ctx.log.debug("Reconciling", { generation: object.metadata.generation });

    // Your code goes here.
  }

  /** Says which objects the manager calls this controller for. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Log).named("crew-pay-log").complete(this);
  }
}
