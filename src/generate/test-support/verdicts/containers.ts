import type { VerdictKind } from "./verdict-kind.ts";

/** Kinds with lists, maps and core types. */
export const containerKinds: readonly VerdictKind[] = [
  {
    name: "Row",
    types: `export interface RowSpec {
  // +kubebuilder:validation:MinItems=1
  // +kubebuilder:validation:MaxItems=2
  a?: string[];
  // +kubebuilder:validation:items:MaxLength=2
  b?: string[];
  // +k8s:maxItems=1
  c?: number[];
}`,
    good: [{ a: ["x"], b: ["ab"], c: [1] }],
    bad: [
      [{ a: [] }, /at least 1 items/],
      [{ a: ["x", "y", "z"] }, /must have at most 2 items/],
      [{ b: ["abc"] }, /Too long: may not be more than 2/],
      [{ c: [1, 2] }, /must have at most 1 item/],
      [{ a: "x" }, /must be of type array/],
    ],
  },
  {
    name: "Unique",
    types: `export interface Entry { name: string; 
  // +kubebuilder:default=80
  port?: number; text?: string }
export interface UniqueSpec {
  // +listType=set
  set?: string[];
  // +listType=map
  // +listMapKey=name
  // +listMapKey=port
  map?: Entry[];
  // +listType=atomic
  atomic?: string[];
}`,
    good: [
      {
        set: ["a", "b"],
        map: [{ name: "a" }, { name: "b" }, { name: "a", port: 81 }],
        atomic: ["a", "a"],
      },
    ],
    bad: [
      [{ set: ["a", "a"] }, /set\[1\]: Duplicate value: "a"/],
      [{ map: [{ name: "a" }, { name: "a", text: "other" }] }, /map\[1\]: Duplicate value/],
    ],
  },
  {
    name: "Map",
    types: `export interface MapSpec {
  // +kubebuilder:validation:MinProperties=1
  // +kubebuilder:validation:MaxProperties=2
  a?: { [key: string]: Int32 };
  b?: Record<string, string[]>;
}`,
    good: [{ a: { x: 1 }, b: { y: ["z"] } }],
    bad: [
      [{ a: {} }, /at least 1 properties/],
      [{ a: { x: 1, y: 2, z: 3 } }, /must have at most 2 (items|properties)/],
      [{ a: { x: "1" } }, /spec.a.x.*must be of type integer/],
      [{ b: { y: "z" } }, /spec.b.y.*must be of type array/],
    ],
  },
  {
    name: "Workload",
    types: `export interface WorkloadSpec {
  template?: PodTemplateSpec;
  selector?: LabelSelector;
  resources?: ResourceRequirements;
}`,
    good: [
      {
        template: { spec: { containers: [{ name: "a", image: "b", ports: [{ containerPort: 80 }] }] } },
        selector: { matchLabels: { a: "b" } },
        resources: { limits: { cpu: 1, memory: "1Gi" } },
      },
    ],
    bad: [
      [{ template: { spec: {} } }, /spec.template.spec.containers: Required value/],
      [{ template: { spec: { containers: [{ image: "b" }] } } }, /name: Required value/],
      [{ template: { spec: { containers: [{ name: "a" }, { name: "a" }] } } }, /Duplicate value/],
      [{ selector: { matchExpressions: [{ key: "a" }] } }, /operator: Required value/],
      [{ resources: { limits: { cpu: "much" } } }, /should match/],
    ],
    becomes: [
      [
        { template: { spec: { containers: [{ name: "a", ports: [{ containerPort: 80 }] }] } } },
        { template: { spec: { containers: [{ name: "a", ports: [{ containerPort: 80, protocol: "TCP" }] }] } } },
      ],
    ],
  },
  {
    name: "Fact",
    types: `export interface FactSpec {
  // +listType=map
  // +listMapKey=type
  conditions?: Condition[];
}`,
    good: [
      {
        conditions: [
          { type: "Ready", status: "True", reason: "Fine", message: "", lastTransitionTime: "2026-01-02T03:04:05Z" },
        ],
      },
    ],
    bad: [
      [{ conditions: [{ type: "Ready" }] }, /lastTransitionTime: Required value/],
      [
        {
          conditions: [
            { type: "a b", status: "Maybe", reason: "", message: "", lastTransitionTime: "2026-01-02T03:04:05Z" },
          ],
        },
        /supported values: "True", "False", "Unknown"/,
      ],
    ],
  },
  {
    name: "Tree",
    types: `export interface Leaf { name: string }
export interface Branch { leaves?: Leaf[]; byName?: Record<string, Leaf> }
export interface TreeSpec { branches?: Branch[][] }`,
    good: [{ branches: [[{ leaves: [{ name: "a" }] }], []] }],
    bad: [
      [{ branches: [[{ leaves: [{}] }]] }, /branches\[0\]\[0\].leaves\[0\].name: Required value/],
      [{ branches: [[{ byName: { x: {} } }]] }, /byName.x.name: Required value/],
    ],
  },
];
