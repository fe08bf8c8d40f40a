import type { KubernetesObject } from "../api/index.ts";
import type { Reflector } from "./reflector.ts";
import type { InformerScope } from "./scope.ts";

/** A scope of an informer, with its state. */
export interface RunningScope {
  scope: InformerScope;
  reflector: Reflector;
  /** Lists and watches until the signal aborts. */
  run: (signal: AbortSignal) => Promise<void>;
  matches: (object: KubernetesObject) => boolean | undefined;
  listed: boolean;
  version: bigint | undefined;
}
