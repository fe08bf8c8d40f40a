import type { Json, JsonObject } from "@kubewright/cel/json";
import { type Answer, type Verdict, verdictOf } from "./compare.ts";

/** A definition of the validation tests in apiextensions, and the verdict of a server on it. */
export interface DefinitionRow {
  definition: JsonObject;
  /** The definition that it replaces. */
  old?: JsonObject;
  verdict: Pick<Verdict, "errors" | "warnings">;
}

type Send = (method: string, path: string, content?: Json) => Promise<Answer>;

const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const longestWait = 3000;

/** Returns a row without the parts that clients don't send. */
export function inputOf({ definition, old }: Omit<DefinitionRow, "verdict">): Omit<DefinitionRow, "verdict"> {
  return { definition: sent(definition), ...(old ? { old: sent(old) } : {}) };
}

function sent({ status: _, ...definition }: JsonObject): JsonObject {
  const { creationTimestamp: __, resourceVersion: ___, ...metadata } = definition.metadata as JsonObject;
  return { ...definition, metadata };
}

/**
 * Sends a definition to a server.
 *
 * @param row - the definition, and the one that it replaces
 * @param send - sends a request
 * @returns the verdict; undefined if the server rejects the definition to be replaced
 */
export async function verdictOn(
  { definition, old }: Omit<DefinitionRow, "verdict">,
  send: Send,
): Promise<DefinitionRow["verdict"] | undefined> {
  if (!old) return messages(await send("POST", `${collection}?dryRun=All`, definition));
  const created = await send("POST", collection, old);
  if (created.status !== 201) return undefined;
  const { name } = old.metadata as { name: string };
  try {
    const { resourceVersion } = (await established(name, send)).metadata as JsonObject;
    const metadata = { ...(definition.metadata as JsonObject), resourceVersion: resourceVersion as string };
    return messages(await send("PUT", `${collection}/${name}?dryRun=All`, { ...definition, metadata }));
  } finally {
    await send("DELETE", `${collection}/${name}`);
    await until(async () => (await send("GET", `${collection}/${name}`)).status === 404);
  }
}

async function established(name: string, send: Send): Promise<JsonObject> {
  let body: JsonObject = {};
  await until(async () => {
    ({ body } = await send("GET", `${collection}/${name}`));
    const { conditions } = (body.status ?? {}) as { conditions?: { type: string; status: string }[] | null };
    return conditions?.some(({ type, status }) => type === "Established" && status === "True") ?? false;
  });
  return body;
}

async function until(isMet: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + longestWait;
  while (!(await isMet()) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
}

function messages(answer: Answer): DefinitionRow["verdict"] {
  const { errors, warnings } = verdictOf(answer);
  return { errors, warnings };
}
