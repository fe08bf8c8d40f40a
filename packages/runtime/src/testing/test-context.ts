import type { AdmissionRequest } from "../api/admission/v1.ts";
import { silentLogger } from "../log/logger.ts";
import type { Context } from "../reconcile/context.ts";

/** The fields of a {@link Context} that a test sets. */
export type TestContext = Partial<Omit<Context, "request">> & { request?: Partial<AdmissionRequest> };

/**
 * Creates a context for code that is called without a manager. It never aborts and has no reasons. It logs nothing unless you set
 * `log`, for example to a `testLogger`.
 *
 * @param values - the fields that differ
 * @returns the context
 *
 * @example
 * const ctx = testContext({ log: testLogger(beforeEach), request: { operation: "CREATE" } });
 * await new GameDefaulter().default(ctx, game);
 */
export function testContext(values: TestContext = {}): Context {
  return { log: silentLogger, signal: new AbortController().signal, reconcileID: "", reasons: [], ...values };
}
