import { activeContext, type TraceContext } from "./tracer.ts";

/** Under which key a context of OpenTelemetry has its span: `createContextKey` makes the same of the same text. */
const spanKey: unique symbol = Symbol.for("OpenTelemetry Context Key SPAN") as never;

/** W3C Trace Context: version, trace, span, flags. Later versions may add more at the end. */
const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The span of another process that a `traceparent` header names, for spans that continue its trace; `undefined` where there is none. */
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

/** A context where the program has registered nothing that would have one. */
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
    return new Values(new Map([...this.#values].filter(([known]) => known !== key)));
  }
}
