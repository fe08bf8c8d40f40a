import type { VerdictKind } from "./verdict-kind.ts";

/** Kinds with required, nullable and default values. */
export const presenceKinds: readonly VerdictKind[] = [
  {
    name: "Need",
    types: `export interface NeedSpec {
  a: string;
  b?: string;
  // +optional
  c: string;
  // +required
  d?: string;
  // +k8s:required
  e?: string;
}`,
    good: [{ a: "", d: "", e: "x" }],
    bad: [
      [{ d: "", e: "x" }, /spec.a: Required value/],
      [{ a: "", e: "x" }, /spec.d: Required value/],
      [{ a: "", d: "" }, /spec.e: Required value/],
      [{ a: "", d: "", e: "" }, /spec.e.*at least 1 chars/],
    ],
  },
  {
    name: "Nothing",
    types: `export interface NothingSpec {
  a: string | null;
  // +nullable
  b?: { c: number };
  d: string;
  e?: string;
}`,
    good: [{ a: null, b: null, d: "" }],
    bad: [
      [{ a: null, d: null }, /spec.d: Required value|spec.d.*must be of type string/],
      [{ d: "" }, /spec.a: Required value/],
    ],
    // The API server removes a null value that isn't allowed if the field is optional.
    becomes: [
      [
        { a: null, b: null, d: "", e: null },
        { a: null, b: null, d: "" },
      ],
    ],
  },
  {
    name: "Standard",
    types: `export interface Inner {
  // +kubebuilder:default=5
  n?: number;
  // +default="text"
  s?: string;
}
export interface StandardSpec {
  // +kubebuilder:default={}
  inner?: Inner;
  // +kubebuilder:default={a,b}
  list?: string[];
  // +kubebuilder:default={k: "v"}
  map?: Record<string, string>;
  // +kubebuilder:default=false
  flag?: boolean;
  outer?: Inner;
}`,
    good: [],
    bad: [],
    becomes: [
      [{}, { inner: { n: 5, s: "text" }, list: ["a", "b"], map: { k: "v" }, flag: false }],
      [
        { inner: { n: 0 }, list: [], map: {}, flag: true, outer: {} },
        { inner: { n: 0, s: "text" }, list: [], map: {}, flag: true, outer: { n: 5, s: "text" } },
      ],
    ],
  },
  {
    name: "Shape",
    types: `export interface Base { a: string; b?: string }
export interface ShapeSpec extends Base { c?: Pick<Base, "a">; d?: Partial<Base>; e?: Omit<Base, "a"> }`,
    good: [{ a: "", c: { a: "" }, d: {}, e: {} }],
    bad: [
      [{}, /spec.a: Required value/],
      [{ a: "", c: {} }, /spec.c.a: Required value/],
    ],
    becomes: [
      [
        { a: "", e: { a: "gone", b: "here" }, unknown: 1 },
        { a: "", e: { b: "here" } },
      ],
    ],
  },
  {
    name: "Loose",
    types: `export interface LooseSpec {
  raw?: RawExtension;
  any?: JSONValue;
  // +kubebuilder:pruning:PreserveUnknownFields
  open?: { a?: number };
  // +kubebuilder:validation:Schemaless
  // +kubebuilder:pruning:PreserveUnknownFields
  whatever?: unknown;
  closed?: { a?: number };
}`,
    good: [{ any: [1, "x", null] }, { any: "text" }, { whatever: 5 }],
    bad: [
      [{ raw: "text" }, /must be of type object/],
      [{ open: { a: "x" } }, /must be of type integer/],
    ],
    becomes: [
      [
        { raw: { x: { y: 1 } }, any: { z: 1 }, open: { a: 1, b: 2 }, whatever: { c: 3 }, closed: { a: 1, b: 2 } },
        { raw: { x: { y: 1 } }, any: { z: 1 }, open: { a: 1, b: 2 }, whatever: { c: 3 }, closed: { a: 1 } },
      ],
    ],
  },
  {
    name: "Embedded",
    types: `export interface EmbeddedSpec {
  // +kubebuilder:validation:EmbeddedResource
  // +kubebuilder:pruning:PreserveUnknownFields
  object?: RawExtension;
  meta?: ObjectMeta;
}`,
    good: [{ object: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { x: 1 } } }],
    bad: [
      [{ object: { kind: "Pod" } }, /apiVersion: Required value/],
      [{ object: { apiVersion: "v1", kind: "Pod", metadata: "text" } }, /metadata: Invalid value: "text"/],
    ],
    becomes: [[{ meta: { name: "a", labels: { b: "c" }, uid: "x" } }, { meta: { name: "a", labels: { b: "c" } } }]],
  },
];
