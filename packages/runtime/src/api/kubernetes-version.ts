/** The Kubernetes release of the core types under `@kubewright/runtime/api/**`. */
export const KUBERNETES_VERSION = "v1.37.2";
