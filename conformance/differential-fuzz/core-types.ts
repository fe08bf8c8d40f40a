/** A built-in type in both languages. `facet` is its JSON type for markers on a field, if any. */
export interface CoreType {
  readonly goImport: string;
  readonly goName: string;
  readonly module: string;
  readonly name: string;
  readonly facet: "" | "object" | "array";
  /** Whether the schema is long, so that it is rarely used. */
  readonly big?: true;
}

const api = "@kubewright/runtime/api";
const meta = "k8s.io/apimachinery/pkg/apis/meta/v1";

function core(goImport: string, module: string, names: string, more: Partial<CoreType> = {}): CoreType[] {
  return names.split(" ").map((name) => ({ goImport, goName: name, module, name, facet: "", ...more }));
}

const all: readonly CoreType[] = [
  ...core(meta, api, "Time MicroTime Duration ObjectMeta OwnerReference"),
  ...core(meta, `${api}/meta/v1`, "LabelSelector Condition LabelSelectorRequirement GroupVersionKind TypeMeta"),
  ...core("k8s.io/apimachinery/pkg/api/resource", api, "Quantity"),
  ...core("k8s.io/apimachinery/pkg/util/intstr", api, "IntOrString"),
  ...core("k8s.io/apimachinery/pkg/runtime", api, "RawExtension"),
  { ...core("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", api, "JSON")[0]!, name: "JSONValue" },
  ...core(
    "k8s.io/api/core/v1",
    `${api}/core/v1`,
    "LocalObjectReference SecretKeySelector ConfigMapKeySelector ObjectReference Toleration EnvVar EnvFromSource " +
      "ResourceRequirements Probe SecurityContext ContainerPort VolumeMount KeyToPath ServicePort TypedLocalObjectReference " +
      "SecretReference NodeSelectorTerm TopologySpreadConstraint Lifecycle HostAlias PodDNSConfig Taint PullPolicy Protocol " +
      "RestartPolicy ConditionStatus ResourceName ServiceType",
  ),
  ...core("k8s.io/api/core/v1", `${api}/core/v1`, "ResourceList", { facet: "object" }),
  ...core("k8s.io/api/core/v1", `${api}/core/v1`, "PodTemplateSpec Volume Container Affinity Pod ServiceSpec", {
    big: true,
  }),
  ...core(
    "k8s.io/api/core/v1",
    `${api}/core/v1`,
    "PersistentVolumeClaimSpec PersistentVolumeClaimTemplate NodeAffinity",
  ),
  ...core(
    "k8s.io/api/apps/v1",
    `${api}/apps/v1`,
    "DeploymentStrategy RollingUpdateDeployment StatefulSetUpdateStrategy",
  ),
  ...core("k8s.io/api/apps/v1", `${api}/apps/v1`, "DeploymentSpec", { big: true }),
  ...core("k8s.io/api/batch/v1", `${api}/batch/v1`, "PodFailurePolicy CronJobStatus"),
  ...core("k8s.io/api/batch/v1", `${api}/batch/v1`, "JobTemplateSpec", { big: true }),
  ...core(
    "k8s.io/api/networking/v1",
    `${api}/networking/v1`,
    "NetworkPolicyPeer IngressTLS IngressBackend NetworkPolicyPort",
  ),
  ...core("k8s.io/api/rbac/v1", `${api}/rbac/v1`, "PolicyRule Subject RoleRef AggregationRule"),
  ...core(
    "k8s.io/api/autoscaling/v2",
    `${api}/autoscaling/v2`,
    "MetricTarget HPAScalingRules CrossVersionObjectReference",
  ),
  ...core("k8s.io/api/policy/v1", `${api}/policy/v1`, "PodDisruptionBudgetSpec"),
];

export const coreTypes: ReadonlyMap<string, CoreType> = new Map(all.map((type) => [type.name, type]));
