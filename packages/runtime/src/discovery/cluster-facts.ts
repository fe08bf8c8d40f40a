import type { KubernetesObject } from "../api/index.ts";
import type { Transport } from "../transport/transport.ts";

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const servicesPath = "/apis/apiregistration.k8s.io/v1/apiservices";

/** Reads from a cluster, and takes notes of what can't be read. */
export interface FactReader {
  readonly transport: Pick<Transport, "request">;
  readonly note: (text: string) => void;
  /** Time limit of each request, in milliseconds. */
  readonly timeout: number;
}

/** Returns the definitions of custom resources; none if they can't be read. */
export async function readDefinitions(reader: FactReader): Promise<KubernetesObject[]> {
  const definitions = (await list(reader, definitionsPath, "CustomResourceDefinitions")) ?? [];
  const type = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  return definitions.map((object) => ({ ...object, ...type }));
}

/**
 * Returns the groups and versions of other API servers, such as `metrics.k8s.io/v1beta1`; undefined if they can't be read.
 */
export async function readAggregated(reader: FactReader): Promise<string[] | undefined> {
  const services = await list(reader, servicesPath, "APIServices");
  return services
    ?.map(({ spec }) => spec as { group?: string; version?: string; service?: unknown } | undefined)
    .filter((spec) => spec?.service)
    .map((spec) => `${spec?.group ?? ""}/${spec?.version ?? ""}`);
}

async function list(
  { transport, note, timeout }: FactReader,
  path: string,
  what: string,
): Promise<Record<string, unknown>[] | undefined> {
  try {
    const { body } = await transport.request({ method: "GET", path, timeout });
    return (body as { items?: Record<string, unknown>[] | null }).items ?? [];
  } catch (error) {
    note(`${what} can't be read: ${(error as Error).message}`);
    return undefined;
  }
}
