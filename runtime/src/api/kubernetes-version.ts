/** The Kubernetes release that the core types under `@kubewright/runtime/api/**` are taken from. */
export const KUBERNETES_VERSION = "v1.36.3";
