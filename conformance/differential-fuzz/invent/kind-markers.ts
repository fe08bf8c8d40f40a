import type { Random } from "../../../scripts/test-support/random.ts";
import { goQuoted, quoted, text } from "./texts.ts";

/** The properties of a version that keep a kind's versions consistent. */
export interface VersionRole {
  storage: boolean;
  only: boolean;
  mayBeUnserved: boolean;
}

/**
 * Generates the markers of a kind. The stored version has those for all versions, because the reference reads versions in
 * any order.
 */
export function kindMarkers(random: Random, role: VersionRole, kind: string): string[] {
  if (role.mayBeUnserved && !role.only && random.chance(0.08)) return ["kubebuilder:skipversion"];
  const chosen = random.chance(0.5) ? ["kubebuilder:object:root=true"] : [];
  if (!role.only && role.storage) chosen.push("kubebuilder:storageversion");
  if (role.only && random.chance(0.1)) chosen.push("kubebuilder:storageversion");
  if (role.mayBeUnserved && random.chance(0.2)) chosen.push("kubebuilder:unservedversion");
  if (random.chance(0.1)) {
    chosen.push(`kubebuilder:deprecatedversion${random.chance(0.6) ? `:warning=${goQuoted(text(random))}` : ""}`);
  }
  if (random.chance(0.5)) chosen.push("kubebuilder:subresource:status");
  if (random.chance(0.15)) chosen.push(scale(random));
  for (let count = random.int(4); count > 0; count--) if (random.chance(0.5)) chosen.push(column(random));
  for (let count = random.int(3); count > 0; count--)
    chosen.push(`kubebuilder:selectablefield:JSONPath=.spec.f${count}`);
  if (role.storage) chosen.push(...wholeCrd(random, kind));
  if (random.chance(0.1))
    chosen.push("kubebuilder:validation:XValidation:rule=`self.metadata.name.size() < 5`,message=short");
  if (random.chance(0.1))
    chosen.push("genclient", "k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object");
  return chosen;
}

function scale(random: Random): string {
  const selector = random.chance(0.5) ? ",selectorpath=.status.selector" : "";
  return `kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas${selector}`;
}

function column(random: Random): string {
  const parts = [
    `name=${quoted(random, random.pick(["Phase", "Age of it", "URL", "a:b"]))}`,
    `type=${random.pick(["string", "integer", '"date"', "`boolean`", "number"])}`,
    `JSONPath=${random.pick([".status.phase", "`.status.conditions[?(@.type=='Ready')].status`", '".metadata.name"'])}`,
  ];
  if (random.chance(0.4)) parts.push(`description=${quoted(random, text(random))}`);
  if (random.chance(0.2)) parts.push(`format=${random.pick(["int32", '"date-time"'])}`);
  if (random.chance(0.3)) parts.push(`priority=${random.int(3)}`);
  return `kubebuilder:printcolumn:${random.chance(0.3) ? parts.reverse().join(",") : parts.join(",")}`;
}

function wholeCrd(random: Random, kind: string): string[] {
  const chosen: string[] = [];
  if (random.chance(0.4)) {
    const parts = random.some(
      [
        `path=${random.pick(["", '"'].map((mark) => `${mark}many${kind.toLowerCase()}${mark}`))}`,
        `shortName=${random.pick(["a", "a;b", "{c,d}", '"e";f'])}`,
        `categories=${random.pick(["all", "{all,mine}"])}`,
        "singular=one",
        `scope=${random.pick(["Cluster", "Namespaced"])}`,
      ],
      5,
    );
    if (parts.length > 0) chosen.push(`kubebuilder:resource:${parts.join(",")}`);
  }
  if (random.chance(0.2)) {
    const label = `labels={${random.pick(["a=b", '"team=x y"', "k=,l=m=n"])}}`;
    const annotation = `annotations=${random.pick(['"docs=https://example.com"', "b=c;d=e", '"a=x: y"'])}`;
    chosen.push(`kubebuilder:metadata:${random.pick([label, annotation, `${annotation},${label}`])}`);
  }
  return chosen;
}
