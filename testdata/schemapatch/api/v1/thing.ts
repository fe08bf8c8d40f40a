// What conformance/generator-cases/api/v1 says in Go.
// +groupName=example.com

import type { Int32, Int64, IntOrString, KubernetesObject, Quantity, Time } from "@kubewright/runtime/api";
import type { Condition, LabelSelector } from "@kubewright/runtime/api/meta/v1";

/**
 * Thing is
 * a thing. It has a description that is long enough to be cut.
 */
export interface Thing extends KubernetesObject {
  /** Spec of it: all */
  spec: ThingSpec;
  status?: ThingStatus;
}

// +kubebuilder:validation:AtMostOneOf=a;b
export interface ThingSpec {
  // +kubebuilder:validation:Enum=yes;no;on;"1";true;1
  // +kubebuilder:default=yes
  a?: string;
  /**
   * B is `b`: "x"
   *   indented
   */
  // +kubebuilder:default={b: "1", a: {}, list: {}}
  b?: Record<string, string>;
  // +kubebuilder:validation:Pattern=`^[a-z]+: #$`
  // +kubebuilder:validation:XValidation:rule="self == oldSelf",message="immutable",fieldPath=".x"
  "1"?: string;
  // +kubebuilder:validation:Maximum=1000000000000000000000
  // +kubebuilder:example=0.5
  d10?: Int32;
  /** # no comment */
  // +kubebuilder:validation:MinItems=1
  // +listType=set
  d9?: string[];
  /** Trailing: colon: */
  y?: Quantity;
  /** - dash */
  null?: IntOrString;
  /** 2001-01-01 */
  "2001-01-01"?: Time;
  /** 0o17 */
  // +kubebuilder:default="0777"
  // +kubebuilder:title="~"
  // +kubebuilder:externalDocs:url="https://example.com",description="1_000"
  "0x1F"?: string;
  /** 1:30 */
  // +kubebuilder:default="a\tb"
  // +nullable
  "é x"?: string;
  /** 😀 smile */
  // +kubebuilder:validation:XPreserveUnknownFields
  k?: Record<string, ThingPart>;
  /**
   * leading
   *
   *
   * and trailing
   * ---
   * cut
   */
  on?: LabelSelector;
}

/** ThingPart is a part. */
export interface ThingPart {
  // +kubebuilder:default={1,2,3}
  numbers: Int64[];
  /** A text that is much longer than eighty columns, which other files would fold, but not those that are patched in. */
  text: string;
}

export interface ThingStatus {
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];
}
