import { type Fault, type Link, type ObjectRef, RequestError } from "@kubewright/dashboard/protocol";
import type { Inspection } from "../session/inspection.ts";
import type { DevSession } from "../session/session.ts";
import type { ObjectFilter } from "../store/records.ts";
import type { NamedObject } from "../store/target-resolver.ts";
import { requiredText, textOf } from "./body.ts";
import type { Route } from "./page-server.ts";

type Query = URLSearchParams;
type Body = Record<string, unknown>;

const maxLimit = 1000;

/** Returns the routes of the API by method and path. See `protocol.ts` for their data. */
export function routesOf(
  session: DevSession,
  inspection: Inspection,
  newLink: () => string,
): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    ["GET /api/status", () => inspection.status()],
    ["GET /api/objects", () => inspection.listObjects()],
    ["GET /api/object", (query) => inspection.object(objectOf(query))],
    ["GET /api/why", (query) => inspection.why(objectOf(query), limitOf(query, 10))],
    ["GET /api/timeline", (query) => inspection.timeline(objectOf(query), limitOf(query, 100))],
    ["GET /api/queue", () => inspection.queue()],
    ["GET /api/controllers", () => inspection.controllers()],
    ["GET /api/caches", () => inspection.caches()],
    ["GET /api/admission", (query) => ({ requests: session.records.admissions(optional(query), limitOf(query, 100)) })],
    [
      "GET /api/reconciles",
      (query) => ({ reconciles: session.records.reconciles(optional(query), limitOf(query, 100)) }),
    ],
    ["GET /api/faults", async () => ({ faults: await inspection.faults() })],
    ["POST /api/faults", async (_query, body) => ({ faults: await inspection.inject(body as unknown as Fault) })],
    ["DELETE /api/faults", async () => ({ faults: await inspection.clearFaults() })],
    ["GET /api/revisions", (query) => inspection.revisions(limitOf(query, 200))],
    [
      "POST /api/restore",
      (_query, { revision }) => {
        if (typeof revision !== "number") throw new RequestError(400, "revision: must be a number");
        inspection.restore(revision);
      },
    ],
    [
      "POST /api/apply",
      async (_query, body) => ({
        objects: await inspection.actions.apply(requiredText(body, "yaml"), body.replace === true),
      }),
    ],
    ["POST /api/delete", (_query, body) => inspection.actions.delete(refOf(body))],
    ["POST /api/scale", (_query, body) => inspection.actions.scale(refOf(body), Number(body.replicas))],
    [
      "POST /api/reconcile",
      async (_query, body) => ({
        controllers: await inspection.reconcile(refOf(body), textOf(body, "controller")),
      }),
    ],
    ["POST /api/pause", (_query, body) => inspection.pause(body.paused !== false)],
    ["POST /api/restart", () => session.restart()],
    ["POST /api/generate", () => session.generate()],
    ["POST /api/accept-loss", () => session.objects.acceptLoss()],
    ["POST /api/samples", () => session.applySamples()],
    ["POST /api/link", () => ({ url: newLink() }) satisfies Link],
    ["POST /api/stop", () => session.stop("requested")],
  ]);
}

function objectOf(query: Query): NamedObject {
  const { kind, name, ...rest } = optional(query);
  if (!kind || !name) throw new RequestError(400, "kind and name are required");
  return { kind, name, ...rest };
}

function optional(query: Query): ObjectFilter {
  return Object.fromEntries(
    ["apiVersion", "kind", "namespace", "name"].flatMap((field) =>
      query.get(field) === null ? [] : [[field, query.get(field)]],
    ),
  );
}

function refOf(body: Body): ObjectRef {
  const [apiVersion, namespace] = [textOf(body, "apiVersion"), textOf(body, "namespace")];
  return {
    kind: requiredText(body, "kind"),
    name: requiredText(body, "name"),
    ...(apiVersion ? { apiVersion } : {}),
    ...(namespace ? { namespace } : {}),
  };
}

function limitOf(query: Query, byDefault: number): number {
  const given = query.get("limit");
  if (given === null) return byDefault;
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new RequestError(400, `limit: ${JSON.stringify(given)} must be an integer from 1 to ${maxLimit}`);
  }
  return limit;
}
