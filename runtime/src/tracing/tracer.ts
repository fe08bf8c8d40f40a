import { errorText } from "../log/error-text.ts";
import { redactText } from "../log/redact-text.ts";

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

/** What a span begins with. */
export interface SpanOptions {
  kind?: number;
  attributes?: Record<string, AttributeValue>;
}

/** OpenTelemetry's `Context`: what a span may find its parent in. */
export interface TraceContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): TraceContext;
  deleteValue(key: symbol): TraceContext;
}

/** The part of OpenTelemetry's `Tracer` that the runtime uses: any `Tracer` of `@opentelemetry/api` is one. */
export interface Tracer {
  startActiveSpan<F extends (span: Span) => unknown>(
    name: string,
    options: SpanOptions,
    context: TraceContext,
    run: F,
  ): ReturnType<F>;
  startActiveSpan<F extends (span: Span) => unknown>(name: string, options: SpanOptions, run: F): ReturnType<F>;
}

/** OpenTelemetry's numbers. */
export const spanKind = { internal: 0, server: 1, client: 2 } as const;
const errorStatus = 2;

/** Where every copy of `@opentelemetry/api` 1.x keeps what was registered: its contract between copies, as none may be the only one. */
const registry: unique symbol = Symbol.for("opentelemetry.js.api.1") as never;

interface Registered {
  trace?: { getTracer(name: string): Tracer };
  context?: { active(): TraceContext };
}

function registered(): Registered | undefined {
  return (globalThis as { [registry]?: Registered })[registry];
}

/** The tracer of the provider that the program has registered; `undefined` where it has registered none. Loads nothing. */
export function globalTracer(): Tracer | undefined {
  return registered()?.trace?.getTracer("@kubewright/runtime");
}

/** The context that the program is in, where it has registered who keeps it. */
export function activeContext(): TraceContext | undefined {
  return registered()?.context?.active();
}

/**
 * Runs something within a span, which is active meanwhile: spans that it starts are the children of this one. What it throws is
 * recorded and thrown on. Without a tracer it just runs. With a parent it belongs to that trace.
 */
export function inSpan<T>(
  tracer: Tracer | undefined,
  name: string,
  options: SpanOptions,
  run: (span: Span | undefined) => Promise<T>,
  parent?: TraceContext,
): Promise<T> {
  if (!tracer) return run(undefined);
  const within = async (span: Span): Promise<T> => {
    try {
      return await run(span);
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
    }
  };
  return parent ? tracer.startActiveSpan(name, options, parent, within) : tracer.startActiveSpan(name, options, within);
}

/** Marks what a span stands for as failed. */
function failSpan(span: Span | undefined, error: unknown): void {
  if (!span) return;
  span.recordException(error instanceof Error ? withoutCredentials(error) : errorText(error));
  span.setStatus({ code: errorStatus, message: error instanceof Error ? redactText(error.message) : errorText(error) });
}

/** The error, or what is printed of it where its text holds credentials. */
function withoutCredentials(error: Error): Error {
  const { name, message, stack = "" } = error;
  const [shown, shownStack] = [redactText(message), redactText(stack)];
  return shown === message && shownStack === stack ? error : { name, message: shown, stack: shownStack };
}
