export { createTransport } from "./create-transport.ts";
export type { Exchange, TransportOptions } from "./options.ts";
export type { Transport, TransportRequest, TransportResponse, TransportStream } from "./transport.ts";
