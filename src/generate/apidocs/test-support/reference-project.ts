/** A project with everything that an API reference shows. */
export const referenceProject: Readonly<Record<string, string>> = {
  "api/v1/groupversion-info.ts": `// Package v1 contains the \`games\` API.
// +groupName=example.com
// +kubebuilder:validation:Required

export {};
`,
  "api/v1/game-types.ts": `import type { Int32, KubernetesObject, Quantity } from "@kubewright/runtime/api";
import type { PodSpec, PullPolicy } from "@kubewright/runtime/api/core/v1";
import type { Base, Secret, Shared } from "../common/shared.ts";

/** Mode decides what happens. */
export enum Mode {
  /** Allow runs *all* of it. */
  Allow = "Allow",
  Deny = "Deny", // Deny runs none of it.
}

/** A port. */
// +kubebuilder:validation:Minimum=1
// +kubebuilder:validation:Maximum=65535
export type Port = Int32;

/** FileSource reads a file. */
export interface FileSource {
  type: "File";
  path: string;
}

/** UrlSource reads an address. */
export interface UrlSource {
  type: "Url";
  url: string;
}

/** Source is one of two. */
export type Source = FileSource | UrlSource;

export interface Box<T> {
  /** The value. */
  value: T;
}

/** @internal */
export interface Hidden {
  a?: string;
}

/**
 * GameSpec is the desired state.
 *
 * See {@link Port}, and https://example.com/doc.
 */
// +kubebuilder:validation:XValidation:rule="self.replicas > 0 || has(self.name)",message="a | b"
export interface GameSpec extends Base {
  /**
   * First line
   * of a paragraph.
   *
   * - one
   *   more of one
   * - two
   *   - \`nested\`
   *
   * \`\`\`yaml
   * a: 1
   * b: {}
   * \`\`\`
   */
  // +kubebuilder:default=1
  // +kubebuilder:validation:Minimum=0
  // +kubebuilder:validation:ExclusiveMinimum=true
  replicas: Int32;
  // +kubebuilder:validation:Pattern=\`^a|b$\`
  // +kubebuilder:validation:MaxLength=63
  // +optional
  name?: string;
  // +optional
  // +k8s:immutable
  size?: Quantity;
  mode: Mode;
  /**
   * How to start.
   * @deprecated use mode
   */
  // +optional
  start?:
    /** At once. */
    | "Now"
    // When asked.
    | "Later";
  // +listType=map
  // +listMapKey=name
  // +optional
  ports?: {
    /** The name of the port. */
    name: string;
    port: Port;
  }[];
  // +optional
  labels?: Record<string, Shared>;
  // +optional
  pod?: PodSpec;
  // +optional
  pull?: PullPolicy;
  source: Source;
  // +optional
  other?: FileSource | UrlSource | null;
  // +optional
  box?: Box<Port>;
  /** @internal */
  // +optional
  secret?: string;
  // +optional
  hidden?: Hidden;
  // +optional
  hiddens?: Hidden[];
  // +optional
  external?: Secret;
  // +optional
  // +kubebuilder:example="x"
  free?: Omit<Shared, "note">;
}

export interface GameStatus {
  // +optional
  ready?: boolean;
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
// +kubebuilder:resource:scope=Cluster,shortName=g;gm,categories=all
// +kubebuilder:printcolumn:name="Mode",type="string",JSONPath=".spec.mode",description="The | mode",priority=1
// +kubebuilder:storageversion

/** Game is a game. */
export interface Game extends KubernetesObject {
  spec: GameSpec;
  // +optional
  status?: GameStatus;
}
`,
  "api/common/shared.ts": `/** Base has what all specs have. */
export interface Base {
  /** Paused stops it. */
  // +optional
  paused?: boolean;
}

/** Shared belongs to no version. */
export interface Shared {
  note?: string;
  text?: string;
}

export interface Secret {
  key?: string;
}
`,
  "api/v2/groupversion-info.ts": "// +groupName=example.com\n\nexport {};\n",
  "api/v2/game-types.ts": `import type { KubernetesObject } from "@kubewright/runtime/api";
import type { Shared } from "../common/shared.ts";
import type { Port } from "../v1/game-types.ts";

export interface GameSpec {
  shared?: Shared;
  port?: Port;
}

// +kubebuilder:object:root=true
// +kubebuilder:deprecatedversion:warning="use v1"
// +kubebuilder:unservedversion

export interface Game extends KubernetesObject {
  spec?: GameSpec;
}
`,
  "other/v1/groupversion-info.ts": "// +groupName=other.example.com\n\nexport {};\n",
  "other/v1/game-types.ts": `import type { KubernetesObject } from "@kubewright/runtime/api";

export interface GameSpec {
  a?: string;
}

// +kubebuilder:object:root=true

export interface Game extends KubernetesObject {
  spec?: GameSpec;
}
`,
  "config/samples/all.yaml": `# yaml-language-server: $schema=../../schemas/x.json
apiVersion: example.com/v1
kind: Game
metadata:
  name: sample # a comment
---
apiVersion: example.com/v1
kind: Other
`,
};
