import { errorText } from "../log/error-text.ts";
import { redactText } from "../log/redact-text.ts";

/** Value of an attribute of a span. */
export type AttributeValue = string | number | boolean;

/** The part of OpenTelemetry's `Span` that the runtime uses. */
export interface Span {
  /**
   * Sets an attribute.
   *
   * @param key - name of the attribute
   * @param value - its value
   * @returns anything; the runtime ignores it
   */
  setAttribute(key: string, value: AttributeValue): unknown;
  /**
   * Sets the status.
   *
   * @param status - the code, by OpenTelemetry's numbers, and a message
   * @returns anything; the runtime ignores it
   */
  setStatus(status: { code: number; message?: string }): unknown;
  /**
   * Records an error.
   *
   * @param exception - the error
   */
  recordException(exception: Error | string): void;
  /**
   * Returns whether the span is recorded. For others, the text of an error isn't prepared, because it costs much.
   *
   * @returns false to ignore errors
   * @defaultValue true without this method
   */
  isRecording?(): boolean;
  /**
   * Returns the identity of the span.
   *
   * @returns the IDs of the trace and of the span
   */
  spanContext(): { traceId: string; spanId: string; traceFlags: number };
  /** Ends the span. */
  end(): void;
}

/** Options of a new span. */
export interface SpanOptions {
  /** Kind, by OpenTelemetry's numbers. */
  kind?: number;
  /** Initial attributes. */
  attributes?: Record<string, AttributeValue>;
}

/** OpenTelemetry's `Context`, which contains the parent of a span. */
export interface TraceContext {
  /**
   * Returns a value of the context.
   *
   * @param key - the key of the value
   * @returns the value, or undefined
   */
  getValue(key: symbol): unknown;
  /**
   * Creates a context with a changed value.
   *
   * @param key - the key of the value
   * @param value - the new value
   * @returns the new context
   */
  setValue(key: symbol, value: unknown): TraceContext;
  /**
   * Creates a context without a value.
   *
   * @param key - the key of the value
   * @returns the new context
   */
  deleteValue(key: symbol): TraceContext;
}

/** The part of OpenTelemetry's `Tracer` that the runtime uses. Any `Tracer` of `@opentelemetry/api` matches it. */
export interface Tracer {
  /**
   * Runs a function within a new span, which is active during the call.
   *
   * @param name - name of the span
   * @param options - kind and attributes of the span
   * @param context - contains the parent of the span
   * @param run - the function
   * @returns the result of the function
   */
  startActiveSpan<F extends (span: Span) => unknown>(
    name: string,
    options: SpanOptions,
    context: TraceContext,
    run: F,
  ): ReturnType<F>;
  /**
   * Runs a function within a new span of the active trace.
   *
   * @param name - name of the span
   * @param options - kind and attributes of the span
   * @param run - the function
   * @returns the result of the function
   */
  startActiveSpan<F extends (span: Span) => unknown>(name: string, options: SpanOptions, run: F): ReturnType<F>;
}

/** OpenTelemetry's numbers of span kinds. */
export const spanKind = { internal: 0, server: 1, client: 2 } as const;
const errorStatus = 2;

/** Property of `globalThis` where all copies of `@opentelemetry/api` 1.x share registrations. */
const registry: unique symbol = Symbol.for("opentelemetry.js.api.1") as never;

interface Registered {
  trace?: { getTracer(name: string): Tracer };
  context?: { active(): TraceContext };
}

function registered(): Registered | undefined {
  return (globalThis as { [registry]?: Registered })[registry];
}

/** Returns the tracer of the registered global provider, or `undefined`. It loads no module. */
export function globalTracer(): Tracer | undefined {
  return registered()?.trace?.getTracer("@kubewright/runtime");
}

/** Returns the active context, if a context manager is registered. */
export function activeContext(): TraceContext | undefined {
  return registered()?.context?.active();
}

/**
 * Runs a function within a span, which is active during the call, so that further spans become its children. Errors are
 * recorded and rethrown. Without a tracer, the function runs without a span. `parent` sets the trace of the span.
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

/** Marks a span as failed. */
function failSpan(span: Span | undefined, error: unknown): void {
  if (!span || span.isRecording?.() === false) return;
  span.recordException(error instanceof Error ? withoutCredentials(error) : errorText(error));
  span.setStatus({ code: errorStatus, message: error instanceof Error ? redactText(error.message) : errorText(error) });
}

/** Returns the error, or a copy without credentials if its text contains some. */
function withoutCredentials(error: Error): Error {
  const { name, message, stack = "" } = error;
  const [shown, shownStack] = [redactText(message), redactText(stack)];
  return shown === message && shownStack === stack ? error : { name, message: shown, stack: shownStack };
}
