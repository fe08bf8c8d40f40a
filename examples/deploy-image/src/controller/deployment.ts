import type { Stored } from "@kubewright/runtime";
import type { Deployment } from "@kubewright/runtime/api/apps/v1";
import type { Container } from "@kubewright/runtime/api/core/v1";
import type { Memcached } from "../../api/v1alpha1/index.ts";

const containerName = "memcached";

/** Two Memcacheds of a namespace must not take each other's Pods for their own: the name of each is among the labels. */
export function labelsFor(name: string): Record<string, string> {
  return {
    "app.kubernetes.io/name": "memcached",
    "app.kubernetes.io/instance": name,
    "app.kubernetes.io/managed-by": "MemcachedController",
  };
}

/** The image of the instances. Throws an `Error` where the environment names none: config/manager/manager.yaml sets it. */
export function imageFromEnvironment(): string {
  const image = process.env.MEMCACHED_IMAGE;
  if (!image) throw new Error("MEMCACHED_IMAGE: the image to deploy, such as memcached:1.6.26-alpine3.19");
  return image;
}

// #region deployment
/**
 * Sets what a Memcached decides of its Deployment, a new one or one that is there. The rest stays: what the API server fills
 * in, and what others have added.
 */
export function setDeployment(deployment: Deployment, { metadata, spec }: Stored<Memcached>, image: string): void {
  const labels = labelsFor(metadata.name);
  deployment.metadata = { ...deployment.metadata, labels: { ...deployment.metadata?.labels, ...labels } };
  deployment.spec ??= {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [] } },
  };
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
    // The protocol is what the API server would fill in: left out, each look would find a difference.
    ports: [{ name: containerName, containerPort, protocol: "TCP" }],
    // What the "restricted" Pod Security Standard asks for.
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1001,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    },
  };
}
// #endregion deployment
