import type { KubernetesObject } from "../../api/index.ts";
import type { TransportRequest } from "../../transport/transport.ts";
import type { Lane } from "../schedule/actor.ts";
import type { Target } from "./target.ts";

/** A fault of a request that reaches the server. */
export type ArrivalFault =
  | { type: "crash" }
  | { type: "error"; error: unknown }
  | { type: "conflict"; write: () => Promise<void> }
  | { type: "rewrite"; query: Record<string, string> }
  | { type: "delay"; milliseconds: number };

/** A fault of a response. */
export type ResponseFault = { type: "crash" } | { type: "error"; error: unknown };

/** A fault of an event of a watch. */
export type DeliveryFault = { type: "hold"; milliseconds: number } | { type: "cut"; error: unknown };

/** A fault of a write that a scenario can demand. */
export type DemandedFault = "conflict" | "lost" | "errors" | "crash";

/** Decides which faults happen to the requests and watches of one process of the operator. */
export interface RequestFaults {
  /** Lets a fault happen to the next write. */
  demand(name: DemandedFault): void;
  /** Decides about a request that reaches the server. */
  onArrival(target: Target, request: TransportRequest): ArrivalFault | undefined;
  /** Decides about the response to a write. */
  onResponse(lane: Lane, target: Target, request: TransportRequest): ResponseFault | undefined;
  /** Decides about an event of a watch. */
  onDelivery(watch: { resource: string }): DeliveryFault | undefined;
  /** Whether an event must not be delivered: its object is gone. */
  isOutdated(object: KubernetesObject): boolean;
  /** Counts a cut of a watch, and returns its error: none for a regular end. */
  cutError(variant: number, resource: string): unknown;
}
