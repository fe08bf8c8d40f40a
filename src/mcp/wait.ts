import { setTimeout as sleep } from "node:timers/promises";
import type { ObjectDetail, Queues, Why } from "@kubewright/dashboard/protocol";
import type { RemoteSession } from "../dev/remote.ts";
import { Failure } from "./failure.ts";
import type { ProjectSession } from "./session.ts";
import { detailOf, objectWord, targetQuery } from "./target.ts";
import type { Call, ToolResult } from "./tool.ts";

/** Time between two checks, in milliseconds. */
const checkTime = 200;
/** How long nothing may happen to an object that is settled, in milliseconds. */
const quietTime = 500;
/** The number of reconciles in the result. */
const mostReconciles = 100;

/**
 * Waits for the state of an object.
 *
 * @param call - the object, the state, and the maximum time
 * @param services - the session
 * @returns whether the object has reached the state, and the reconciles in that time
 * @throws Failure if the readiness of the object can't be determined
 */
export async function wait(call: Call, { session }: { readonly session: ProjectSession }): Promise<ToolResult> {
  const { until, seconds = 10 } = call.args;
  const remote = await session.open();
  const started = Date.now();
  const end = started + Number(seconds) * 1000;
  let detail: ObjectDetail | undefined;
  let quietSince = started;
  let met = false;
  for (;;) {
    call.signal.throwIfAborted();
    detail = await existing(remote, call, until === "deleted" || Date.now() < end);
    if (detail === undefined || (await isBusy(remote, detail))) quietSince = Date.now();
    const isSettled = detail !== undefined && Date.now() - quietSince >= quietTime;
    if (until === "ready" && isSettled && detail?.summary.ready === null) throw unknownReadiness(call);
    if (until === "deleted") met = detail === undefined;
    else met = until === "ready" ? detail?.summary.ready === true : isSettled;
    if (met || Date.now() >= end) break;
    await sleep(checkTime, undefined, { signal: call.signal });
  }
  const { reconciles, errors } = await reconciled(remote, call, started);
  const data = { met, reconciles, errors, ...(detail === undefined ? {} : { object: detail.summary }) };
  const lines = [`${met ? "" : "not "}${String(until)} after ${reconciles} reconciles`, ...errors];
  return { data, text: lines.join("\n") };
}

/** Returns an object; undefined if it was deleted, or if it doesn't exist and may be absent. */
async function existing(remote: RemoteSession, call: Call, canBeAbsent: boolean): Promise<ObjectDetail | undefined> {
  try {
    const detail = await detailOf(remote, call);
    // The session keeps the history of deleted objects.
    return detail.revisions[0]?.type === "deleted" ? undefined : detail;
  } catch (error) {
    // Somebody may create it soon.
    if (canBeAbsent && / not found$/.test((error as Error).message)) return undefined;
    throw error;
  }
}

/** Whether a controller works on an object, or retries it. A requeue after a time doesn't count. */
async function isBusy(remote: RemoteSession, { summary: { namespace, name } }: ObjectDetail): Promise<boolean> {
  const { controllers } = await remote.get<Queues>("/api/queue");
  const key = namespace === "" ? name : `${namespace}/${name}`;
  return controllers.some(
    ({ depth, active, delayed }) =>
      depth > 0 || active.includes(key) || delayed.some((item) => item.key === key && item.attempts > 0),
  );
}

/** Returns the number of reconciles of an object since a time, and their different errors. */
async function reconciled(
  remote: RemoteSession,
  call: Call,
  since: number,
): Promise<{ reconciles: number; errors: string[] }> {
  const query = { ...targetQuery(call), limit: String(mostReconciles) };
  // A deleted object may have no reconciles.
  const why = await remote.get<Why>("/api/why", query).catch(() => undefined);
  const recent = (why?.reconciles ?? []).filter(({ time }) => Date.parse(time) >= since);
  const errors = new Set(recent.flatMap(({ error }) => (error ? [error.message] : [])));
  return { reconciles: recent.length, errors: [...errors] };
}

function unknownReadiness({ args: { object } }: Call): Failure {
  return new Failure(
    "unknown-readiness",
    `the status of ${objectWord(object)} has no conditions, so its readiness is unknown`,
    "wait until it is settled",
  );
}
