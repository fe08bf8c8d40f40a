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

import type { Issuer } from "@kubernetes-models/cert-manager/cert-manager.io/v1";
import {
  type Context,
  type Defaulter,
  groupVersion,
  type KubernetesObject,
  type Manager,
  newWebhookManagedBy,
} from "@kubewright/runtime";

type IssuerObject = Issuer & KubernetesObject;
const IssuerKind = groupVersion("cert-manager.io", "v1").kind<IssuerObject>("Issuer");

/** Registers the webhooks for Issuer with the manager. */
export async function setupIssuerWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, IssuerKind).withDefaulter(new IssuerDefaulter()).complete();
}

// +kubebuilder:webhook:path=/mutate-cert-manager-io-v1-issuer,mutating=true,failurePolicy=fail,sideEffects=None,groups=cert-manager.io,resources=issuers,verbs=create;update,versions=v1,name=missuer-v1.kb.io,admissionReviewVersions=v1

/** IssuerDefaulter sets default values on Issuer objects when they are created or updated. */
export class IssuerDefaulter implements Defaulter<IssuerObject> {
  /** Sets defaults in obj before it is validated and stored. If it throws, the request is rejected. */
  async default(ctx: Context, obj: IssuerObject): Promise<void> {
    ctx.log.debug("Defaulting", { name: obj.metadata?.name });

    // Your code goes here.
  }
}
