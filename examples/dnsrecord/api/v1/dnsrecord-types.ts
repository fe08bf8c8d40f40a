import type { Int32, KubernetesList, KubernetesObject } from "@kubewright/runtime/api";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import { GroupVersion } from "./groupversion-info.ts";

/** DnsRecordSpec defines the desired state of DnsRecord. */
export interface DnsRecordSpec {
  /** host is the name to resolve, such as chess.example.com. */
  // +kubebuilder:validation:MinLength=1
  // +kubebuilder:validation:MaxLength=253
  host: string;

  /** address is the IPv4 address to which the host resolves. */
  // +kubebuilder:validation:Format=ipv4
  address: string;

  /** ttlSeconds is the time for which resolvers may cache the record. */
  // +kubebuilder:default=300
  // +kubebuilder:validation:Minimum=30
  ttlSeconds?: Int32;
}

/** DnsRecordStatus defines the observed state of DnsRecord. */
export interface DnsRecordStatus {
  /** recordId is the id of the record at the DNS provider. */
  recordId?: string;

  /** conditions represent the current state: Ready (the provider has the record). */
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Host",type="string",JSONPath=".spec.host"
// +kubebuilder:printcolumn:name="Address",type="string",JSONPath=".spec.address"
// +kubebuilder:printcolumn:name="Ready",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="Reason",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].reason"

/** DnsRecord is the Schema for the dnsrecords API. */
export interface DnsRecord extends KubernetesObject {
  /** spec defines the desired state of DnsRecord. */
  spec: DnsRecordSpec;

  /** status defines the observed state of DnsRecord. */
  status?: DnsRecordStatus;
}

/** DnsRecordList contains a list of DnsRecord. */
export type DnsRecordList = KubernetesList<DnsRecord>;

export const DnsRecord = GroupVersion.kind<DnsRecord>("DnsRecord");
