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
  type ApplyConfiguration,
  type Client,
  type Context,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  type Stored,
  setControllerReference,
  setStatusFromChildren,
} from "@kubewright/runtime";
import { Deployment } from "@kubewright/runtime/api/apps/v1";
import { Website } from "#api/v1/index.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=websites,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=web.example.com,resources=websites/finalizers,verbs=update
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;patch

/** WebsiteReconciler keeps a Deployment for each Website, and reports its state. */
export class WebsiteReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /** Runs when a Website or its Deployment is created, changed or deleted. */
  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const website = await ignoreNotFound(this.client.get(Website, req));
    // Kubernetes deletes the Deployment of a deleted Website, because the Website owns it.
    if (!website || website.metadata.deletionTimestamp) return;

    const deployment = await this.client.apply(desiredDeployment(website), { fieldOwner: "website" });

    await patchStatus(this.client, website, (copy) => {
      copy.status = { ...copy.status, readyReplicas: deployment.status?.readyReplicas ?? 0 };
      // Ready when all Pods run the current image and are ready, not before.
      setStatusFromChildren(copy, [deployment]);
    });
  }

  /** Sets up the controller with the manager, and declares which objects trigger a reconcile. */
  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Website).owns(Deployment).named("website").complete(this);
  }
}

/** Returns the Deployment that serves a website. */
function desiredDeployment(website: Stored<Website>): ApplyConfiguration<Deployment> {
  const { name, namespace } = website.metadata;
  const { image, replicas, pullPolicy } = website.spec;
  const labels = { "app.kubernetes.io/name": "website", "app.kubernetes.io/instance": name };
  const deployment: ApplyConfiguration<Deployment> = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "website", image, imagePullPolicy: pullPolicy }] },
      },
    },
  };
  setControllerReference(website, deployment);
  return deployment;
}
