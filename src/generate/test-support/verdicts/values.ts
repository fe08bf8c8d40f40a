import type { VerdictKind } from "./verdict-kind.ts";

/** Kinds with markers for single values. */
export const valueKinds: readonly VerdictKind[] = [
  {
    name: "Limit",
    types: `export interface LimitSpec {
  // +kubebuilder:validation:Minimum=1
  // +kubebuilder:validation:Maximum=10
  a?: number;
  // +kubebuilder:validation:Minimum=1
  // +kubebuilder:validation:ExclusiveMinimum=true
  // +kubebuilder:validation:MultipleOf=5
  b?: Int32;
  // +k8s:minimum=0
  // +k8s:maximum=3
  c?: Int64;
}`,
    good: [{ a: 1, b: 5, c: 3 }, { a: 10 }, {}],
    bad: [
      [{ a: 0 }, /greater than or equal to 1/],
      [{ a: 11 }, /less than or equal to 10/],
      [{ b: 1 }, /greater than 1/],
      [{ b: 7 }, /multiple of 5/],
      [{ c: 4 }, /less than or equal to 3/],
      [{ a: "1" }, /must be of type integer/],
      [{ a: 1.5 }, /must be of type integer/],
    ],
  },
  {
    name: "Text",
    types: `export interface TextSpec {
  // +kubebuilder:validation:MinLength=2
  // +kubebuilder:validation:MaxLength=4
  a?: string;
  // +kubebuilder:validation:Pattern=\`^[a-z]+(-[a-z]+)?$\`
  b?: string;
  // +kubebuilder:validation:Format=ipv4
  c?: string;
}`,
    good: [{ a: "ab", b: "one-two", c: "10.0.0.1" }],
    bad: [
      [{ a: "a" }, /at least 2 chars/],
      [{ a: "abcde" }, /Too long: may not be more than 4/],
      [{ b: "one-two-three" }, /should match/],
      [{ c: "10.0.0" }, /of type ipv4/],
    ],
  },
  {
    name: "Word",
    types: `export type Mode = "Fast" | "Slow";
export interface WordSpec {
  a?: Mode;
  b?: "x" | "y";
  c?: 1 | 2;
  // +kubebuilder:validation:Enum=Always;Never
  d?: string;
  // +kubebuilder:validation:items:Enum={"p","q"}
  e?: string[];
}`,
    good: [{ a: "Fast", b: "y", c: 2, d: "Never", e: ["p", "q", "p"] }],
    bad: [
      [{ a: "fast" }, /supported values: "Fast", "Slow"/],
      [{ b: "z" }, /supported values: "x", "y"/],
      [{ c: 3 }, /supported values: "1", "2"/],
      [{ d: "Sometimes" }, /supported values: "Always", "Never"/],
      [{ e: ["p", "r"] }, /supported values: "p", "q"/],
    ],
  },
  {
    name: "Moment",
    types: `export interface MomentSpec { time?: Time; bytes?: Bytes; duration?: Duration }`,
    good: [{ time: "2026-01-02T03:04:05Z", bytes: "aGVsbG8=", duration: "1h30m" }],
    bad: [
      [{ time: "yesterday" }, /of type date-time/],
      [{ bytes: "no base64!" }, /of type byte/],
      [{ duration: 5 }, /must be of type string/],
    ],
  },
  {
    name: "Amount",
    types: `export interface AmountSpec {
  a?: Quantity;
  b?: IntOrString;
  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:Pattern=\`^[0-9]+%$\`
  c?: IntOrString;
}`,
    good: [
      { a: "500m", b: 3, c: "25%" },
      { a: 2, b: "25%" },
    ],
    bad: [
      [{ a: "much" }, /should match/],
      [{ b: true }, /must be of type integer,string/],
      [{ c: "25" }, /should match/],
    ],
  },
  {
    name: "Fraction",
    types: `export interface FractionSpec {
  // +kubebuilder:validation:Maximum=0.5
  a?: Float64;
}`,
    good: [{ a: 0.25 }, { a: -1 }],
    bad: [[{ a: 0.75 }, /less than or equal to 0.5/]],
  },
  {
    name: "Tight",
    types: `// +kubebuilder:validation:MinLength=2
// +kubebuilder:validation:MaxLength=10
export type Name = string;
export interface TightSpec {
  // +kubebuilder:validation:MinLength=4
  a?: Name;
  b?: Name;
}`,
    good: [{ a: "abcd", b: "ab" }],
    bad: [
      [{ a: "abc" }, /at least 4 chars/],
      [{ b: "a" }, /at least 2 chars/],
      [{ a: "abcdefghijk" }, /Too long: may not be more than 10/],
    ],
  },
  {
    name: "Written",
    types: `export interface WrittenSpec {
  // +kubebuilder:validation:Format=uuid
  id?: string;
  // +kubebuilder:validation:Format=date
  day?: string;
  // +kubebuilder:validation:Format=cidr
  net?: string;
  // +kubebuilder:validation:Type=string
  // +kubebuilder:validation:MaxLength=3
  port?: IntOrString;
}`,
    good: [{ id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", day: "2026-11-21", net: "10.0.0.0/8" }],
    bad: [
      [{ id: "3f2504e0" }, /of type uuid/],
      [{ day: "21.11.2026" }, /of type date/],
      [{ net: "10.0.0.0" }, /of type cidr/],
    ],
  },
  {
    name: "Grid",
    types: `// +kubebuilder:validation:Minimum=0
export type Cell = number;
export interface GridSpec {
  // +kubebuilder:validation:MinItems=1
  // +kubebuilder:validation:items:MaxItems=2
  rows?: Cell[][];
  // +kubebuilder:validation:MaxProperties=2
  byName?: Record<string, 1 | 2>;
}`,
    good: [{ rows: [[0, 1], []], byName: { a: 1, b: 2 } }],
    bad: [
      [{ rows: [] }, /at least 1 items/],
      [{ rows: [[1, 2, 3]] }, /must have at most 2 items/],
      [{ rows: [[-1]] }, /greater than or equal to 0/],
      [{ byName: { a: 3 } }, /supported values: "1", "2"/],
      [{ byName: { a: 1, b: 1, c: 1 } }, /must have at most 2 items/],
    ],
  },
  {
    name: "Derived",
    types: `export interface Parent {
  // +kubebuilder:validation:Minimum=1
  size: Int32;
  // +kubebuilder:validation:MinLength=2
  title: string;
  gone?: string;
}
export interface Box<T> { value: T }
export interface DerivedSpec {
  part?: Pick<Parent, "size">;
  rest?: Partial<Omit<Parent, "gone">>;
  box?: Box<Int32>;
}`,
    good: [{ part: { size: 1 }, rest: {}, box: { value: 7 } }],
    bad: [
      [{ part: {} }, /size: Required value/],
      [{ part: { size: 0 } }, /greater than or equal to 1/],
      [{ rest: { title: "x" } }, /at least 2 chars/],
      [{ box: { value: "7" } }, /must be of type integer/],
      [{ box: { value: 3_000_000_000 } }, /int32/],
    ],
  },
];
