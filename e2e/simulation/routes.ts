import { groupVersion, type Kind, type KubernetesObject } from "@kubewright/runtime";
import { definition } from "./lib.ts";

/** A route to an application. */
export interface Route extends KubernetesObject {
  spec: { secret?: string; from?: string; weight?: number; replicas?: number };
  status?: { secret?: string; winner?: string; ready?: number; phase?: string };
}

const v1 = groupVersion("grants.test", "v1");
export const Route: Kind<Route> = v1.kind<Route>("Route");
export const Grant: Kind<Route> = v1.kind<Route>("Grant");
export const crds = [definition("grants.test", "Route", "routes"), definition("grants.test", "Grant", "grants")];
export const namespace = "default";
export const key = { namespace, name: "shop" };

export function route(name = "shop", spec: Route["spec"] = { secret: "wildcard" }): Route {
  return { apiVersion: "grants.test/v1", kind: "Route", metadata: { namespace, name }, spec };
}
