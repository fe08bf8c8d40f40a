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

import { type Context, type Manager, newWebhookManagedBy, type Validator } from "@kubewright/runtime";
import { Log } from "#api/crew.pay/v1/index.ts";

/** Registers the webhooks for Log with the manager. */
export async function setupLogWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, Log).withValidator(new LogValidator()).complete();
}

// To validate deletions too, change verbs to "verbs=create;update;delete".
// +kubebuilder:webhook:path=/validate-crew-pay-qingwave-github-io-v1-log,mutating=false,failurePolicy=fail,sideEffects=None,groups=crew.pay.qingwave.github.io,resources=logs,verbs=create;update,versions=v1,name=vlog-v1.crew-pay-qingwave-github-io.kb.io,admissionReviewVersions=v1

/**
 * LogValidator validates Log objects when they are created, updated or deleted.
 * If a method throws, the request is rejected with the message of the error. The user sees returned strings as warnings.
 */
export class LogValidator implements Validator<Log> {
  async validateCreate(ctx: Context, obj: Log): Promise<string[]> {
    ctx.log.debug("Validating creation", { name: obj.metadata?.name });

    // Your code goes here.
    return [];
  }

  async validateUpdate(ctx: Context, oldObj: Log, newObj: Log): Promise<string[]> {
    ctx.log.debug("Validating update", { name: newObj.metadata?.name, generation: oldObj.metadata?.generation });

    // Your code goes here.
    return [];
  }

  async validateDelete(ctx: Context, obj: Log): Promise<string[]> {
    ctx.log.debug("Validating deletion", { name: obj.metadata?.name });

    // Your code goes here.
    return [];
  }
}
