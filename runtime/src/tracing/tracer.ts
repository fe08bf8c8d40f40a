/** A value that a span carries. */
export type AttributeValue = string | number | boolean;

/** The part of OpenTelemetry's `Span` that the runtime uses. */
export interface Span {
  setAttribute(key: string, value: AttributeValue): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(exception: Error | string): void;
  spanContext(): { traceId: string; spanId: string; traceFlags: number };
  end(): void;
}

export interface SpanOptions {
  kind?: number;
  attributes?: Record<string, AttributeValue>;
}

/** The part of OpenTelemetry's `Tracer` that the runtime uses: any `Tracer` of `@opentelemetry/api` is one. */
export interface Tracer {
  startActiveSpan<F extends (span: Span) => unknown>(name: string, options: SpanOptions, run: F): ReturnType<F>;
}

/** OpenTelemetry's numbers. */
export const spanKind = { internal: 0, server: 1, client: 2 } as const;
const errorStatus = 2;

/** Where every copy of `@opentelemetry/api` 1.x keeps what was registered: its contract between copies, as none may be the only one. */
const registry: unique symbol = Symbol.for("opentelemetry.js.api.1") as never;

interface Registered {
  trace?: { getTracer(name: string): Tracer };
}

/** The tracer of the provider that the program has registered; `undefined` where it has registered none. Loads nothing. */
export function globalTracer(): Tracer | undefined {
  return (globalThis as { [registry]?: Registered })[registry]?.trace?.getTracer("@kubewright/runtime");
}

/**
 * Runs something within a span, which is active meanwhile: spans that it starts are the children of this one. What it throws is
 * recorded and thrown on. Without a tracer it just runs.
 */
export function inSpan<T>(
  tracer: Tracer | undefined,
  name: string,
  options: SpanOptions,
  run: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!tracer) return run(undefined);
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await run(span);
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks what a span stands for as failed. */
export function failSpan(span: Span | undefined, error: unknown): void {
  if (!span) return;
  const exception = error instanceof Error ? error : String(error);
  span.recordException(exception);
  span.setStatus({ code: errorStatus, message: error instanceof Error ? error.message : String(error) });
}
