import { type Manager, newControllerManagedBy, type Reconciler } from "@kubewright/runtime";
import { Bucket } from "./kinds.ts";

/** Reports that an API rejects calls for a while. */
export class TooManyCallsError extends Error {
  /** The time to wait, in milliseconds. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super(`the API accepts calls again in ${retryAfter} ms`);
    this.retryAfter = retryAfter;
  }
}

/** Calls an API, and reports a 429 with the time that its header contains. */
export async function call(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal });
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    throw new TooManyCallsError(Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 60_000);
  }
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return response.json();
}

/** Returns a reconciler that waits as long as the API asks, without an error and without back-off. */
export function patient(reconciler: Reconciler): Reconciler {
  return {
    async reconcile(ctx, req) {
      try {
        return await reconciler.reconcile(ctx, req);
      } catch (error) {
        if (!(error instanceof TooManyCallsError)) throw error;
        ctx.log.info("waiting for the API", { milliseconds: error.retryAfter });
        return { requeueAfter: error.retryAfter };
      }
    },
  };
}

/** Sets up a controller that makes one call at a time, and none for longer than 30 seconds. */
export async function setup(mgr: Manager, reconciler: Reconciler): Promise<void> {
  await newControllerManagedBy(mgr)
    .for(Bucket)
    .withOptions({ maxConcurrentReconciles: 1, reconciliationTimeout: 30_000 })
    .complete(patient(reconciler));
}
