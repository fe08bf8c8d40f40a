import { linkSignals, unlessAborted } from "../clock/abort.ts";
import type { Clock } from "../clock/clock.ts";
import type { Source, SourceContext } from "../source/source.ts";

export interface StartSourcesOptions {
  clock: Clock;
  /** Time limit in milliseconds for all sources to start and sync. */
  timeout: number;
  controller: string;
}

/**
 * Starts all sources in parallel and waits for their sync. Rejects if a source doesn't sync in time. Returns `false` if the
 * controller was stopped first.
 */
export async function startSources<R>(
  sources: readonly Source<R>[],
  ctx: SourceContext<R>,
  options: StartSourcesOptions,
): Promise<boolean> {
  const { clock, timeout, controller } = options;
  const { signal, log } = ctx.context;
  const { signal: limit, release, abort } = linkSignals(signal);
  const timer = clock.setTimeout(abort, timeout);
  try {
    await Promise.all(
      sources.map(async (source) => {
        log.info("Starting EventSource", { source: source.name });
        await unlessAborted(source.start(ctx), limit, () => {
          throw new Error(`${source.name} did not start within ${timeout} ms`);
        });
        await source.waitForSync?.(limit);
      }),
    );
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw new Error(`failed to wait for the caches of controller ${controller} to sync: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    clock.clearTimeout(timer);
    release();
  }
}
