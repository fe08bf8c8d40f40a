import { group } from "./api.ts";

const head = `// +groupName=${group}\n\nimport type { Int32, KubernetesObject } from "@kubewright/runtime/api";\n`;

const robot = (markers: string, more = "") => `${head}
export interface RobotSpec { model: string; replicas?: Int32${more} }
export interface RobotStatus { replicas?: Int32; selector?: string }

// +kubebuilder:object:root=true
${markers}
export interface Robot extends KubernetesObject { spec: RobotSpec; status?: RobotStatus }
`;

/** The stored version, with all features that a version can have. */
export const robotV1 = robot(`// +kubebuilder:storageversion
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:selectablefield:JSONPath=.spec.model
// +kubebuilder:printcolumn:name=Model,type=string,JSONPath=.spec.model
// +kubebuilder:printcolumn:name=Replicas,type=integer,JSONPath=.spec.replicas
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp,priority=1`);

export const robotV1alpha1 = robot("// +kubebuilder:unservedversion");
export const robotV2 = robot('// +kubebuilder:deprecatedversion:warning="use v1, it is better"', "; extra?: string");

/** Names and metadata that differ from all defaults. */
export const machine = `${head}
export interface MachineSpec { model?: string }

// +kubebuilder:resource:path=machinery,singular=engine,shortName=mc;eng,categories={all,iron},scope=Cluster
// +kubebuilder:metadata:labels="team=iron",annotations="docs=https://example.com"
export interface Machine extends KubernetesObject { spec: MachineSpec }
`;
