/**
 * A Kubernetes API server for development and tests, in one process.
 *
 * @packageDocumentation
 */

export { type KubernetesVersion, kubernetesVersions } from "./data/versions.ts";
export type { ApiServerOptions, AuthorizationMode, Clock } from "./engine/options.ts";
export type { Answer, AnswerStream, ApiRequest, StreamChunk, StreamSink, UserInfo } from "./model/request.ts";
export type { Observation, StoredWrite } from "./server/observation.ts";
export { type ApiServer, type ClientConfig, startApiServer } from "./server/server.ts";
export {
  createUnitTestServer,
  type FieldIndex,
  type UnitTestServer,
  type UnitTestServerOptions,
} from "./unit-test/server.ts";
export type { KindUse } from "./unit-test/undefined-kinds.ts";
