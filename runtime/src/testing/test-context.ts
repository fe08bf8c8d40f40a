import type { AdmissionRequest } from "../api/admission/v1.ts";
import type { Context } from "../context.ts";
import { silentLogger } from "../log/logger.ts";

/** What a test sets of a {@link Context}; the request as far as it matters. */
export type TestContext = Partial<Omit<Context, "request">> & { request?: Partial<AdmissionRequest> };

/**
 * A context for code that is called without a manager: it logs nothing, never aborts, and has no reasons.
 *
 * @example
 * await new GameCustomDefaulter().default(testContext({ request: { operation: "CREATE" } }), game);
 */
export function testContext(values: TestContext = {}): Context {
  return { log: silentLogger, signal: new AbortController().signal, reconcileID: "", reasons: [], ...values };
}
