/**
 * A Kubernetes API server for development and tests, in one process.
 *
 * @packageDocumentation
 */
export type { Answer, AnswerStream, ApiRequest, StreamSink, UserInfo } from "./request/request.ts";
export type { Clock } from "./engine.ts";
export { type ApiServer, type ApiServerOptions, type ClientConfig, startApiServer } from "./server.ts";
