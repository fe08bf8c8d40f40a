// Declarations that the examples in comments of the runtime use, beside those of runtime, testing and conversion.
import type {
  Cluster,
  Config,
  Context,
  ControllerBuilder,
  Defaulter,
  EventRecorder,
  Finalizer,
  KubernetesObject as Owned,
  Reconciler,
  Request,
  Result,
  Stored,
  Validator,
} from "@kubewright/runtime";
import { type Client, groupVersion } from "@kubewright/runtime";
import type { Int32, KubernetesObject } from "@kubewright/runtime/api";
import type { Deployment, DeploymentSpec } from "@kubewright/runtime/api/apps/v1";
import type { ConfigMap, Node } from "@kubewright/runtime/api/core/v1";
import type { Condition } from "@kubewright/runtime/api/meta/v1";
import type { TestEnvironment } from "@kubewright/runtime/envtest";

export { createServer } from "node:https";
export { parseArgs } from "node:util";
export type { Int32, KubernetesObject } from "@kubewright/runtime/api";
export { Service } from "@kubewright/runtime/api/core/v1";
export { Counter } from "@kubewright/runtime/metrics";
export { BucketApi } from "./buckets.ts";

export interface Game extends KubernetesObject {
  spec: { players?: Int32; replicas?: Int32; interval?: string };
  status?: { phase?: string; conditions?: Condition[] };
}
export const Game = groupVersion("example.com", "v1").kind<Game>("Game");

export declare class GameReconciler implements Reconciler {
  constructor(client: Client, more?: EventRecorder | Client);
  reconcile(ctx: Context, request: Request): Promise<Result | undefined>;
}
export declare class GameDefaulter implements Defaulter<Game> {
  default(ctx: Context, game: Game): void;
}
export declare class GameValidator implements Validator<Game> {
  validateCreate(): void;
  validateUpdate(): void;
  validateDelete(): void;
}
export declare class ScoreFinalizer implements Finalizer<Game> {
  finalize(ctx: Context, game: Game): Promise<undefined>;
}

export declare const builder: ControllerBuilder;
export declare const collectGarbage: (signal: AbortSignal) => Promise<void>;
export declare const configMap: ConfigMap;
export declare const deployment: Stored<Deployment>;
export declare const deploymentSpec: DeploymentSpec;
export declare const environment: TestEnvironment;
/** Loads the program of an operator. */
export declare const main: () => Promise<unknown>;
export declare const error: unknown;
export declare const game: Stored<Game>;
export declare const gameServer: { restarts(): AsyncIterable<string> };
export declare const labels: Record<string, string>;
export declare const name: string;
export declare const namespace: string;
export declare const owners: (object: Owned) => string[];
export declare const request: Request;
export declare const requestOf: (object: Owned) => Request;
export declare const review: { object: Game };
export declare const signal: AbortSignal;
export declare const tlsOptions: { cert: string; key: string };
export declare const west: Cluster;
export declare const westConfig: Config;
export declare const zoneOf: (node: Node) => string;
