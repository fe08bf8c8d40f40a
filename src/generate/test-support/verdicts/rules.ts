import type { VerdictKind } from "./verdict-kind.ts";

/** Kinds with rules for several fields, and for updates. */
export const ruleKinds: readonly VerdictKind[] = [
  {
    name: "Rule",
    types: `// +kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min is over max",reason=FieldValueForbidden
export interface RuleSpec {
  min: Int32;
  max: Int32;
  // +kubebuilder:validation:MaxLength=20
  // +kubebuilder:validation:XValidation:rule="self.startsWith('a')",messageExpression="'got ' + self"
  a?: string;
  // +kubebuilder:validation:MaxItems=5
  // +kubebuilder:validation:items:MaxLength=5
  // +kubebuilder:validation:items:XValidation:rule="self != 'no'",message="is no"
  b?: string[];
}`,
    good: [{ min: 1, max: 2, a: "abc", b: ["yes"] }],
    bad: [
      [{ min: 3, max: 2 }, /Forbidden: min is over max/],
      [{ min: 1, max: 2, a: "xyz" }, /got xyz/],
      [{ min: 1, max: 2, b: ["no"] }, /is no/],
    ],
  },
  {
    name: "Frozen",
    types: `export interface FrozenSpec {
  // +kubebuilder:validation:XValidation:rule="self == oldSelf",message="stays"
  a?: number;
  // +k8s:immutable
  b?: number;
  // +k8s:immutable
  c: number;
}`,
    good: [{ a: 1, b: 1, c: 1 }],
    bad: [],
    updates: [
      [{ a: 1, b: 1, c: 1 }, { a: 2, b: 1, c: 1 }, /stays/],
      [{ a: 1, b: 1, c: 1 }, { a: 1, b: 2, c: 1 }, /field is immutable/],
      [{ a: 1, b: 1, c: 1 }, { a: 1, c: 1 }, /field b is immutable once set/],
      [{ a: 1, b: 1, c: 1 }, { a: 1, b: 1, c: 2 }, /field is immutable/],
      [{ c: 1 }, { b: 1, c: 1 }, undefined],
    ],
  },
  ...oneOfKinds(),
  {
    name: "Union",
    types: `export interface Circle { type: "Circle"; radius: number }
export interface Square { type: "Square"; side: number }
export interface UnionSpec { shape?: Circle | Square; target?: { name: string } | { url: string } }`,
    good: [{ shape: { type: "Circle", radius: 1 }, target: { name: "a" } }, { shape: { type: "Square", side: 1 } }],
    bad: [
      [{ shape: { type: "Circle", side: 1 } }, /spec.shape/],
      [{ shape: { type: "Triangle" } }, /supported values|spec.shape/],
      [{ target: {} }, /spec.target/],
    ],
  },
  {
    name: "Old",
    types: `// +kubebuilder:validation:XValidation:rule="!oldSelf.hasValue() || self.n >= oldSelf.value().n",message="only grows",optionalOldSelf=true
export interface OldSpec { n: Int32 }`,
    good: [{ n: 0 }],
    bad: [],
    updates: [
      [{ n: 2 }, { n: 1 }, /only grows/],
      [{ n: 2 }, { n: 3 }, undefined],
    ],
  },
  {
    name: "Size",
    types: `// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:MaxProperties=2
export interface SizeSpec { a?: string; b?: string; c?: string }`,
    good: [{ a: "" }, { a: "", b: "" }],
    bad: [
      [{}, /at least 1 properties/],
      [{ a: "", b: "", c: "" }, /must have at most 2/],
    ],
  },
];

function oneOfKinds(): VerdictKind[] {
  const kind = (name: string, marker: string, good: object[], bad: VerdictKind["bad"]): VerdictKind => ({
    name,
    types: `// +kubebuilder:validation:${marker}=a;b\nexport interface ${name}Spec { a?: string; b?: number; c?: string }`,
    good,
    bad,
  });
  return [
    kind(
      "Exactly",
      "ExactlyOneOf",
      [{ a: "x" }, { b: 0, c: "x" }],
      [
        [{}, /exactly one of the fields in \[a b\] must be set/],
        [{ a: "x", b: 1 }, /exactly one of the fields in \[a b\] must be set/],
      ],
    ),
    kind(
      "Most",
      "AtMostOneOf",
      [{}, { a: "x" }],
      [[{ a: "x", b: 1 }, /at most one of the fields in \[a b\] may be set/]],
    ),
    kind(
      "Least",
      "AtLeastOneOf",
      [{ a: "x", b: 1 }, { b: 1 }],
      [[{ c: "x" }, /at least one of the fields in \[a b\] must be set/]],
    ),
  ];
}
