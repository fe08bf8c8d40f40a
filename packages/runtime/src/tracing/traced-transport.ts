import type { Transport, TransportRequest } from "../transport/transport.ts";
import { inSpan, type Span, spanKind, type Tracer } from "./tracer.ts";

/**
 * Creates spans for requests and sends them to the server (`traceparent`), which traces its part. Streams have no
 * spans, since they last for minutes and belong to no trace.
 */
export function traceRequests(transport: Transport, tracer: () => Tracer | undefined): Transport {
  return {
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
    request(request) {
      const { method, path } = request;
      const trace = tracer();
      if (!trace) return transport.request(request);
      const options = { kind: spanKind.client, attributes: { "http.request.method": method, "url.path": path } };
      return inSpan(trace, `${method} ${resourceOf(path)}`, options, async (span) => {
        const response = await transport.request(withParent(request, span));
        span?.setAttribute("http.response.status_code", response.status);
        return response;
      });
    },
  };
}

function withParent(request: TransportRequest, span: Span | undefined): TransportRequest {
  if (!span) return request;
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = traceFlags.toString(16).padStart(2, "0");
  return { ...request, headers: { ...request.headers, traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

/** Returns a path without names, since span names must have a low cardinality. */
function resourceOf(path: string): string {
  const match = /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/[^/]+)?\/([^/]+)(?:\/[^/]+(\/.+)?)?$/.exec(path);
  return match ? `${match[1]}${match[2] ?? ""}` : path;
}
