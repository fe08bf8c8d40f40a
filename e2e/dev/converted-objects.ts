// Objects of the project with two versions, read and written as an API server stores and converts them.
import type { Transport } from "@kubewright/runtime";
import { definitionName, group } from "./converted-project.ts";

export interface Widget {
  metadata: { name: string; resourceVersion?: string; labels?: Record<string, string> };
  spec: Record<string, unknown>;
}

const path = (version: string, name = "") =>
  `/apis/${group}/${version}/namespaces/default/widgets${name === "" ? "" : `/${name}`}`;

/** Records the strategies that a watcher of the CRD sees. */
export async function strategies(transport: Transport): Promise<{ seen: string[]; close(): Promise<void> }> {
  const stream = await transport.stream({
    method: "GET",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    query: { watch: true, fieldSelector: `metadata.name=${definitionName}` },
  });
  const seen: string[] = [];
  void (async () => {
    for await (const event of stream) {
      const { object } = event as { object: { spec?: { conversion?: { strategy?: string } } } };
      seen.push(object.spec?.conversion?.strategy ?? "None");
    }
  })().catch(() => undefined);
  return { seen, close: () => stream.close() };
}

export const get = async (transport: Transport, version: string, name: string) =>
  (await transport.request({ method: "GET", path: path(version, name) })).body as Widget;

export async function create(transport: Transport, version: string, name: string, spec: object): Promise<Widget> {
  const body = { apiVersion: `${group}/${version}`, kind: "Widget", metadata: { name }, spec };
  return (await transport.request({ method: "POST", path: path(version), body })).body as Widget;
}

/**
 * Reads an object in the version that isn't stored, and writes it with a label: fields that it lacks would be lost. The operator can
 * write its status meanwhile.
 */
export async function label(transport: Transport, name: string, value: string): Promise<void> {
  const object = await get(transport, "v2", name);
  const body = { ...object, metadata: { ...object.metadata, labels: { value } } };
  try {
    await transport.request({ method: "PUT", path: path("v2", name), body });
  } catch (error) {
    if ((error as { code?: number }).code !== 409) throw error;
    await label(transport, name, value);
  }
}
