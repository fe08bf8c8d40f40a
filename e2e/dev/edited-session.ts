// The state of a running session and of its cluster, compared with the files of an edited project.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, loadConfig } from "@kubewright/runtime";
import { expect } from "vitest";
import { parseAllDocuments } from "yaml";
import type { EditedProject } from "./edited-project.ts";
import { send } from "./requests.ts";

interface Definition {
  readonly spec: {
    readonly versions: {
      readonly schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, Field> } } } };
    }[];
  };
}
interface Field {
  readonly type: string;
  readonly minimum?: number;
}
interface Webhooks {
  readonly items: { readonly webhooks: { readonly name: string; readonly failurePolicy: string }[] }[];
}

/** Reads the state of a running session and its cluster. */
export class EditedSession {
  readonly #project: EditedProject;
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(project: EditedProject, kubeconfig: string) {
    this.#project = project;
    this.#transport = createTransport(loadConfig({ kubeconfig }));
    const file = readFileSync(join(project.root, ".kubewright/dev/session.json"), "utf8");
    const { url, token } = JSON.parse(file) as { url: string; token: string };
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  }

  /** Returns the fields in the served CRD that edits have added. */
  async fields(): Promise<string[]> {
    const { group, plural } = this.#project.example;
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`;
    const { spec } = (await this.#transport.request({ method: "GET", path })).body as Definition;
    return Object.entries(spec.versions[0]?.schema.openAPIV3Schema.properties.spec.properties ?? {})
      .filter(([name]) => /^(field\d|limited|changed|branch)/.test(name))
      .map(([name, { type, minimum }]) => `${name} ${type} ${minimum ?? ""}`)
      .sort();
  }

  /** Returns the failure policy of the mutating webhook. */
  async failurePolicy(): Promise<string | undefined> {
    const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    const { items } = (await this.#transport.request({ method: "GET", path })).body as Webhooks;
    const policies = items
      .flatMap(({ webhooks }) => webhooks)
      .find(({ name }) => name === this.#project.example.webhookName);
    return policies?.failurePolicy.toLowerCase();
  }

  /** Returns the annotation that the webhook sets. */
  async admitted(): Promise<string | undefined> {
    const { group, plural, files } = this.#project.example;
    const sample = readFileSync(join(this.#project.root, files.sample), "utf8");
    const [body] = parseAllDocuments(sample).map((document) => document.toJS() as { metadata: object });
    const request = {
      method: "POST",
      path: `/apis/${group}/v1/namespaces/default/${plural}`,
      query: { dryRun: "All" },
      body: { ...body, metadata: { name: "dry" } },
    } as const;
    const { metadata } = (await this.#transport.request(request)).body as {
      metadata: { annotations?: Record<string, string> };
    };
    return metadata.annotations?.edit;
  }

  /** Starts a reconcile, and returns its log lines. */
  async logs(): Promise<string[]> {
    const { kind, sampleName: name } = this.#project.example;
    const body = JSON.stringify({ kind, namespace: "default", name });
    await send(`${this.#url}/api/reconcile`, { method: "POST", headers: this.#headers, body });
    const { body: text } = await send(`${this.#url}/api/why?kind=${kind}&name=${name}&limit=1`, {
      headers: this.#headers,
    });
    const { reconciles } = JSON.parse(text) as { reconciles: { logs: { message: string }[] }[] };
    return reconciles[0]?.logs.map(({ message }) => message) ?? [];
  }

  /** Returns the phases of the displayed errors. */
  async errors(): Promise<string[]> {
    const { body } = await send(`${this.#url}/api/status`, { headers: this.#headers });
    return (JSON.parse(body) as { errors: { phase: string }[] }).errors.map(({ phase }) => phase);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }
}

/** Checks that the cluster and the manager match the files. */
export async function expectCurrent(project: EditedProject, session: EditedSession, about: string): Promise<void> {
  const errors = await session.errors();
  // Without a readable controller, neither manifests nor code can be generated. Both are shown.
  if (project.broken === "syntax" || project.broken === "deleted") {
    expect(errors, about).toContain("bundle");
    return;
  }
  expect(await session.fields(), about).toEqual(project.fields);
  if (project.broken === "types") {
    expect(errors, about).toEqual(["types"]);
    return;
  }
  expect(errors, about).toEqual([]);
  expect(await session.failurePolicy(), about).toBe(project.failurePolicy);
  expect(await session.logs(), about).toContain(project.marker);
  expect(await session.admitted(), about).toBe(project.marker);
}
