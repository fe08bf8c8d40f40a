/** Kinds that operators usually create. Others are watched as soon as the manager watches them. */
export const usualKinds: readonly (readonly [apiVersion: string, ...kinds: string[]])[] = [
  ["v1", "Pod", "Service", "ConfigMap", "Secret", "PersistentVolumeClaim", "ServiceAccount"],
  ["apps/v1", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"],
  ["batch/v1", "Job", "CronJob"],
  ["networking.k8s.io/v1", "Ingress", "NetworkPolicy"],
  ["rbac.authorization.k8s.io/v1", "Role", "RoleBinding"],
];
