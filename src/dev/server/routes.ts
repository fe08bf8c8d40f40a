import {
  type Fault,
  type Link,
  type Logs,
  type ObjectRef,
  RequestError,
  type Status,
} from "@kubewright/dashboard/protocol";
import type { Inspection } from "../inspection/open.ts";
import type { ObjectFilter, Records } from "../store/records.ts";
import type { NamedObject } from "../store/target-resolver.ts";
import { requiredText, textOf } from "./body.ts";
import type { Route } from "./page-server.ts";

type Query = URLSearchParams;
type Body = Record<string, unknown>;

const maxLimit = 1000;

/** The commands of people to a session. */
export interface SessionControls {
  /** Restarts the manager. */
  restart(): void;
  generate(): void;
  applySamples(): void;
  /** Applies the changes of CRDs by which stored objects lose values. */
  acceptLoss(): Promise<void>;
  stop(reason: string): void;
}

/** The parts of a session that the API shows and changes. */
export interface ServedParts {
  readonly controls: SessionControls;
  readonly inspection: Inspection;
  readonly records: Records;
}

/** The server of the API, for its answers. */
export interface ServerLinks {
  /** Returns the server's URL. */
  readonly url: () => string;
  /** Returns a URL of the dashboard that works once. */
  readonly newPageUrl: () => string;
}

/** Returns the routes of the API by method and path. See `protocol.ts` for their data. */
export function routesOf(
  { controls, inspection, records }: ServedParts,
  links: ServerLinks,
): ReadonlyMap<string, Route> {
  const { actions, faults, reader, requests, revisions } = inspection;
  return new Map<string, Route>([
    ["GET /api/status", () => ({ ...inspection.status(), url: links.url() }) satisfies Status],
    ["GET /api/objects", () => reader.list()],
    ["GET /api/object", (query) => reader.object(objectOf(query))],
    ["GET /api/why", (query) => reader.why(objectOf(query), limitOf(query, 10))],
    ["GET /api/timeline", (query) => reader.timeline(objectOf(query), limitOf(query, 100))],
    ["GET /api/queue", () => requests.queues()],
    ["GET /api/controllers", () => requests.controllers()],
    ["GET /api/caches", async () => ({ caches: await requests.caches() })],
    ["GET /api/admission", (query) => ({ requests: records.admissions(optional(query), limitOf(query, 100)) })],
    ["GET /api/reconciles", (query) => ({ reconciles: records.reconciles(optional(query), limitOf(query, 100)) })],
    ["GET /api/logs", (query) => ({ lines: records.lines(limitOf(query, 50)) }) satisfies Logs],
    ["GET /api/faults", async () => ({ faults: await faults.active() })],
    ["POST /api/faults", async (_query, body) => ({ faults: await faults.inject(body as unknown as Fault) })],
    ["DELETE /api/faults", async () => ({ faults: await faults.clear() })],
    ["GET /api/revisions", (query) => revisions.list(limitOf(query, 200))],
    [
      "POST /api/restore",
      (_query, { revision }) => {
        if (typeof revision !== "number") throw new RequestError(400, "revision: must be a number");
        revisions.restore(revision);
      },
    ],
    [
      "POST /api/apply",
      async (_query, body) => ({
        objects: await actions.apply(requiredText(body, "yaml"), body.replace === true),
      }),
    ],
    ["POST /api/delete", (_query, body) => actions.delete(refOf(body))],
    ["POST /api/scale", (_query, body) => actions.scale(refOf(body), Number(body.replicas))],
    [
      "POST /api/reconcile",
      async (_query, body) => ({
        controllers: await inspection.reconcile(refOf(body), textOf(body, "controller")),
      }),
    ],
    ["POST /api/pause", (_query, body) => requests.pause(body.paused !== false)],
    ["POST /api/restart", () => controls.restart()],
    ["POST /api/generate", () => controls.generate()],
    ["POST /api/accept-loss", () => controls.acceptLoss()],
    ["POST /api/samples", () => controls.applySamples()],
    ["POST /api/link", () => ({ url: links.newPageUrl() }) satisfies Link],
    ["POST /api/stop", () => controls.stop("requested")],
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
