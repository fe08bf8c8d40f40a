// API servers that decide about objects of CRDs.
import { startApiServer } from "@kubewright/apiserver";
import type { JsonObject } from "@kubewright/cel/json";
import { type Judge, withoutRules } from "../../src/generate/jsonschema/test-support/verdicts.ts";
import type { CustomResourceDefinition } from "../../src/kubernetes/custom-resource-definition.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The answer of a server. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

/** An API server. */
export interface Server {
  send(method: string, path: string, body?: object): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts the embedded API server in this process. */
export async function embeddedServer(): Promise<Server> {
  const server = await startApiServer({ http: false, authorization: "always-allow" });
  return {
    async send(method, url, body) {
      const headers = { accept: "application/json", "content-type": "application/json" };
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await server.handle({ method, url, headers, ...content });
      // Paths that aren't served yet are answered in plain text.
      const isJson = String(answer.headers["content-type"] ?? "").startsWith("application/json");
      return { status: answer.status, body: isJson ? JSON.parse(String(answer.body)) : {} };
    },
    stop: () => server.stop(),
  };
}

/**
 * Creates a definition without the rules that JSON Schema can't express, and returns the verdicts on its objects.
 *
 * @throws Error if the server refuses the definition, or an object for another reason than its content
 */
export async function judgeOf(server: Server, { metadata, spec }: CustomResourceDefinition): Promise<Judge> {
  const { group, names, scope, versions } = spec;
  // No server converts objects here. Create requests ignore a status that is a subresource, without validating it.
  const { conversion: _, ...rest } = withoutRules(spec) as typeof spec & { readonly conversion?: object };
  for (const version of rest.versions) delete version.subresources?.status;
  const { status, body } = await server.send("POST", definitions, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: metadata.name, annotations: metadata.annotations },
    spec: rest,
  });
  if (status !== 201) throw new Error(`${metadata.name}: ${JSON.stringify(body)}`);
  const path = (version: string) =>
    `/apis/${group}/${version}${scope === "Namespaced" ? "/namespaces/default" : ""}/${names.plural}`;
  for (const { name } of versions.filter(({ served }) => served)) {
    while ((await server.send("GET", path(name))).status !== 200) await new Promise((done) => setTimeout(done, 20));
  }
  return async (object) => {
    const { namespace } = object.metadata as JsonObject;
    // Its value must be that of the path, whatever else it could be.
    if (scope === "Namespaced" && namespace !== undefined && namespace !== "default") return undefined;
    const version = String(object.apiVersion).slice(group.length + 1);
    const served = versions.some(({ name, served }) => served && name === version);
    // The path contains the version, so an object with another one can't be sent to the right path.
    const url = path(served ? version : (versions.find(({ served }) => served)?.name ?? ""));
    const answer = await server.send("POST", `${url}?dryRun=All&fieldValidation=Strict`, object);
    if (answer.status < 300) return [];
    if (![400, 422].includes(answer.status)) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
    return [String(answer.body.message)];
  };
}
