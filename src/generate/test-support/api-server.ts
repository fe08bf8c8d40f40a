import {
  ApiError,
  createTransport,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "@kubewright/runtime";
import { TestEnvironment, type TestEnvironmentOptions } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll } from "vitest";

/** An API server for the tests of one file. */
export interface ApiServer {
  readonly environment: TestEnvironment;
  /** Sends a request. Rejects with `ApiError` if the server rejects it. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /**
   * Creates a document without storing it. Resolves to the document with the server's defaults. Rejects with
   * `ApiError` if the server rejects it.
   */
  dryRun(document: unknown): Promise<unknown>;
  /**
   * Returns the error with which the server rejects a document, or `undefined` if it accepts the document. Stores
   * nothing.
   */
  refusal(document: unknown): Promise<ApiError | undefined>;
}

/** Paths for creating documents, by kind. */
const paths: Readonly<Record<string, string>> = {
  CustomResourceDefinition: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  ClusterRole: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  Role: "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
  MutatingWebhookConfiguration: "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
  ValidatingWebhookConfiguration: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
};

/** Starts an API server before the tests of the calling file, and stops it after them. */
export function startApiServer(options: TestEnvironmentOptions = {}): ApiServer {
  // A busy machine needs longer than the usual ten seconds for a hundred CRDs.
  const environment = new TestEnvironment({ crdInstallOptions: { maxTime: 120_000 }, ...options });
  let transport: Transport | undefined;
  beforeAll(async () => {
    await environment.start();
    transport = createTransport(environment.config);
  });
  afterAll(async () => {
    await transport?.close();
    await environment.stop();
  });

  async function send(request: TransportRequest): Promise<TransportResponse> {
    if (!transport) throw new Error("the API server is not started yet");
    return transport.request(request);
  }

  async function dryRun(body: unknown): Promise<unknown> {
    const { kind } = body as { kind: string };
    const path = paths[kind];
    if (path === undefined) throw new Error(`no path for documents of kind ${kind}`);
    return (await send({ method: "POST", path, body, query: { dryRun: "All" } })).body;
  }

  return {
    environment,
    send,
    dryRun,
    refusal: (document) =>
      dryRun(document).then(
        () => undefined,
        (error) => {
          if (error instanceof ApiError) return error;
          throw error;
        },
      ),
  };
}
