import type { KubernetesObject } from "../api/index.ts";
import type { Stored } from "../client/client.ts";
import type { Entry } from "./declaration.ts";
import type { ChildAction } from "./types.ts";

/** The action for a child, with the child's state. */
export interface Outcome {
  /** Name of the entry. */
  readonly child: string;
  readonly entry: Entry | undefined;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly action: ChildAction;
  readonly object?: Stored<KubernetesObject> | undefined;
  readonly message?: string;
  readonly error?: unknown;
  /** Whether the failure or wait is that of a deletion. */
  readonly isPrune?: boolean;
}
