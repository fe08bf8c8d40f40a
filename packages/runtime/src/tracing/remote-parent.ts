import { activeContext, type TraceContext } from "./tracer.ts";

/** Key of the span in OpenTelemetry's contexts, as `createContextKey` creates it. */
const spanKey: unique symbol = Symbol.for("OpenTelemetry Context Key SPAN") as never;

/** W3C Trace Context: version, trace, span, flags. Later versions may add more at the end. */
const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Returns the span of another process from a `traceparent` header, for spans that continue its trace, or `undefined`. */
export function remoteParent(traceparent: string | readonly string[] | undefined): TraceContext | undefined {
  const match = typeof traceparent === "string" ? pattern.exec(traceparent.trim()) : undefined;
  if (!match) return undefined;
  const [, version, traceId, spanId, flags, more] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return (activeContext() ?? new Values(new Map())).setValue(spanKey, { spanContext: () => spanContext });
}

/** A context for programs that have registered no context manager. */
class Values implements TraceContext {
  readonly #values: ReadonlyMap<symbol, unknown>;

  constructor(values: ReadonlyMap<symbol, unknown>) {
    this.#values = values;
  }

  getValue(key: symbol): unknown {
    return this.#values.get(key);
  }

  setValue(key: symbol, value: unknown): TraceContext {
    return new Values(new Map(this.#values).set(key, value));
  }

  deleteValue(key: symbol): TraceContext {
    return new Values(new Map([...this.#values].filter(([name]) => name !== key)));
  }
}
