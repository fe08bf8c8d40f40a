// Common names of operators: the runtime, built-in kinds, and the fields of `main.ts` and of a reconciler.
import type { Client, Config, Context, Manager, Reconciler, Request, Result } from "@kubewright/runtime";

export * from "@kubewright/runtime";
export { Deployment } from "@kubewright/runtime/api/apps/v1";
export { Job } from "@kubewright/runtime/api/batch/v1";
export { ConfigMap, Node, Pod, Secret } from "@kubewright/runtime/api/core/v1";

export declare const config: Config;
export declare const mgr: Manager;
export declare const client: Client;
export declare const ctx: Context;
export declare const key: Request;

/** A reconciler of any kind. */
export declare class GameReconciler implements Reconciler {
  constructor(client: Client | { here: Client; west: Client });
  reconcile(ctx: Context, request: Request): Promise<Result | undefined>;
  setupWithManager(mgr: Manager): Promise<void>;
}
