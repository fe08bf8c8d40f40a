import { join } from "node:path";
import type { DevEventBody, DevProblem, ErrorPhase, InspectMessage } from "@kubewright/dashboard/protocol";
import { Records } from "../store/records.ts";
import { SessionEvents } from "../store/session-events.ts";
import { ManagerFlags } from "./flags.ts";
import { ManagerSupervisor, type SupervisorParts } from "./supervisor.ts";

const manifests = { manifest: "", keys: "" };
export const noWebhooks = { ...manifests, serve: async () => undefined, serveNothing: async () => {}, hold: () => {} };

/** Parts of the session, and functions that receive its values. */
export interface Given extends Partial<Omit<SupervisorParts, "events">> {
  readonly settleTime?: number;
  report?(phase: ErrorPhase, problems: readonly DevProblem[]): void;
  onMessage?(message: InspectMessage): void;
  onLine?(line: string): void;
}

/** Creates a supervisor without a cluster. Returns its events and messages, which continue to arrive. */
export function createSupervisor(root: string, { settleTime, report, onMessage, onLine, ...given }: Given) {
  const emitted: DevEventBody[] = [];
  const messages: string[] = [];
  const events = new SessionEvents();
  events.on("event", ({ time: _, ...body }) => emitted.push(body as DevEventBody));
  events.on("message", ({ type }) => messages.push(type));
  if (report) events.on("problems", ({ phase, problems }) => report(phase, problems));
  if (onMessage) events.on("message", onMessage);
  if (onLine) events.on("line", onLine);
  const kubeconfig = join(root, "kubeconfig");
  const supervisor = new ManagerSupervisor({
    settings: { root, env: process.env, kubeconfig, program: "test", identity: () => undefined, settleTime },
    events,
    flags: new ManagerFlags(root, [], undefined),
    webhooks: noWebhooks,
    records: new Records(),
    signal: new AbortController().signal,
    client: () => {
      throw new Error("no cluster");
    },
    restart: () => {},
    ...given,
  });
  return { supervisor, events: emitted, messages };
}
