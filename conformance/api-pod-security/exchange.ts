// Sends Pods to a server, to namespaces with levels of the Pod Security Standards.
import type { Json, JsonObject } from "@kubewright/cel/json";
import type { Answer, Send } from "../api-builtin/send.ts";
import { comparable } from "../api-builtin/send.ts";

/** The parts of an answer that are compared. */
export interface Verdict {
  code: number;
  warnings?: string[];
  /** The parts of the Status of an error that differ between errors. */
  status?: Json;
}

const label = "pod-security.kubernetes.io/";

/** @returns the parts of an answer that don't depend on the server */
export function verdictOf(answer: Answer): Verdict {
  const { code, warnings, body } = comparable(answer) as { code: number; warnings: string[]; body: JsonObject };
  const { reason, message, details } = body;
  const status = { reason, message, details } as JsonObject;
  return { code, ...(warnings.length === 0 ? {} : { warnings }), ...(code < 300 ? {} : { status }) };
}

/**
 * Creates a namespace for each level and version, if it doesn't exist.
 *
 * @param send - sends a request
 * @param levels - for example `restricted:latest`
 */
export async function createNamespaces(send: Send, levels: readonly string[]): Promise<void> {
  for (const level of levels) {
    const [enforce, version] = level.split(":") as [string, string];
    const labels = { [`${label}enforce`]: enforce, [`${label}enforce-version`]: version };
    const answer = await send("POST", "/api/v1/namespaces", namespace(namespaceOf(level), labels));
    if (answer.code !== 201 && answer.code !== 409) throw new Error(JSON.stringify(answer));
  }
}

/** @returns a namespace */
export function namespace(name: string, labels: JsonObject): JsonObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}

/** @returns the name of the namespace for a level */
function namespaceOf(level: string): string {
  return level.replace(/[:.]/g, "-");
}

/**
 * Creates a Pod in the namespace of a level, as a dry run.
 *
 * @param send - sends a request
 * @param pod - the Pod
 * @param level - the level, for which there is a namespace
 * @returns the answer
 */
export async function createPod(send: Send, pod: JsonObject, level: string): Promise<Verdict> {
  return verdictOf(await send("POST", `/api/v1/namespaces/${namespaceOf(level)}/pods?dryRun=All`, pod));
}
