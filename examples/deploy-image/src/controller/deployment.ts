import type { Stored } from "@kubewright/runtime";
import type { Deployment } from "@kubewright/runtime/api/apps/v1";
import type { Container } from "@kubewright/runtime/api/core/v1";
import type { Memcached } from "#api/v1alpha1/index.ts";

const containerName = "memcached";

/** The labels contain the name, so that two Memcacheds in a namespace don't select each other's Pods. */
export function labelsFor(name: string): Record<string, string> {
  return {
    "app.kubernetes.io/name": "memcached",
    "app.kubernetes.io/instance": name,
    "app.kubernetes.io/managed-by": "MemcachedController",
  };
}

/** Returns the image of the instances. Throws an `Error` if the environment doesn't contain it: config/manager/manager.yaml sets it. */
export function imageFromEnvironment(): string {
  const image = process.env.MEMCACHED_IMAGE;
  if (!image) throw new Error("MEMCACHED_IMAGE: the image to deploy, such as memcached:1.6.26-alpine3.19");
  return image;
}

// #region deployment
/** Returns a Deployment without containers, with the fields that never change. */
export function newDeployment({ metadata: { namespace, name } }: Stored<Memcached>): Deployment {
  const labels = labelsFor(name);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [] } } },
  };
}

/**
 * Sets the fields of a new or existing Deployment that the Memcached decides. It keeps the defaults of the API server and
 * the fields that other clients have added.
 */
export function setDeployment(deployment: Deployment, { metadata, spec }: Stored<Memcached>, image: string): void {
  const labels = labelsFor(metadata.name);
  deployment.metadata = { ...deployment.metadata, labels: { ...deployment.metadata?.labels, ...labels } };
  deployment.spec.replicas = spec.size;
  deployment.spec.template.spec ??= { containers: [] };
  const pod = deployment.spec.template.spec;
  pod.securityContext = { ...pod.securityContext, runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };
  const container = pod.containers.find(({ name }) => name === containerName);
  if (container) Object.assign(container, containerFor(spec.containerPort, image));
  else pod.containers.push(containerFor(spec.containerPort, image));
}

function containerFor(containerPort: number, image: string): Container {
  return {
    name: containerName,
    image,
    imagePullPolicy: "IfNotPresent",
    command: ["memcached", "--memory-limit=64", "-o", "modern", "-v", `--port=${containerPort}`],
    // The default of the API server. If unset, every reconcile would find a difference.
    ports: [{ name: containerName, containerPort, protocol: "TCP" }],
    // Required by the "restricted" Pod Security Standard.
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1001,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    },
  };
}
// #endregion deployment
