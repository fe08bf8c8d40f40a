import { afterAll, beforeAll, expect } from "vitest";
import type { KubernetesObject, ManagedFieldsEntry } from "../api/index.ts";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { ApiError } from "../errors/api-error.ts";
import type { StatusCause } from "../errors/status.ts";
import { fakeClient } from "./index.ts";
import { type Sample, sampleCrd, versionedCrd } from "./sample-crd.fixture.ts";

/** Creates a Sample with a name. `more` overrides the fields. */
export const sample = (name: string, spec?: object, more: object = {}): Sample =>
  ({
    apiVersion: "test.kubewright.io/v1",
    kind: "Sample",
    metadata: { name, namespace: "default" },
    spec,
    ...more,
  }) as Sample;

/** One call, which receives the result of the last successful call. */
export type Step = (client: Client, last: Sample) => Promise<unknown>;

/** Returns the parts that must be equal on two servers, including field owners. Times, their order, UIDs and version numbers differ. */
function comparable(value: unknown): unknown {
  if (value instanceof ApiError) {
    const { code, reason, status } = value;
    const textOf = ({ field, message }: StatusCause): string => `${field}: ${message}`;
    const causes = [...(status.details?.causes ?? [])].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
    const { message } = value;
    // Go iterates over maps in random order, so the message is compared only if there is one cause.
    return { code, reason, causes, ...(causes.length > 1 ? {} : { message }) };
  }
  if (value instanceof Error) return { thrown: value.message };
  if (typeof value !== "object" || value === null) return value;
  const { metadata, ...rest } = value as KubernetesObject;
  const { uid, resourceVersion, creationTimestamp, managedFields = [], deletionTimestamp, ...kept } = metadata ?? {};
  const has = {
    uid: Boolean(uid),
    creationTimestamp: Boolean(creationTimestamp),
    deletionTimestamp: Boolean(deletionTimestamp),
  };
  // Servers list the oldest entry first, with a precision of seconds. The order depends on the time at which a second begins.
  const keyOf = ({ operation, manager, subresource, apiVersion }: ManagedFieldsEntry): string =>
    [operation, manager, subresource, apiVersion].join(" ");
  const owners = [...managedFields]
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .map(({ time: _t, ...owner }) => owner);
  return { ...rest, metadata: { ...kept, ...has, owners, resourceVersion: Boolean(resourceVersion) } };
}

/** Runs the steps on one server. Each step receives the result of the last successful one. */
async function run(client: Client, steps: readonly Step[], first: Sample): Promise<unknown[]> {
  const results: unknown[] = [];
  let last = first;
  for (const step of steps) {
    let result: unknown;
    try {
      result = await step(client, structuredClone(last));
    } catch (error) {
      result = error;
    }
    const isObject = typeof result === "object" && result !== null && "metadata" in result;
    const version = last.metadata?.resourceVersion;
    results.push(comparable(result));
    if (!isObject) continue;
    if (version) results.push({ newVersion: (result as Sample).metadata?.resourceVersion !== version });
    last = result as Sample;
  }
  return results;
}

/** Starts a fake and a real server with the same kinds, for the tests of one file. */
export function fakeAndReal(): { expectSame: (steps: readonly Step[], first: Sample, what?: string) => Promise<void> } {
  const environment = new TestEnvironment({ crds: [sampleCrd, versionedCrd] });
  let real: Client;
  let fake: Client;
  beforeAll(async () => {
    real = createClient(await environment.start());
    fake = fakeClient({ crds: [sampleCrd, versionedCrd] });
  }, 60_000);
  afterAll(() => environment.stop());
  return {
    async expectSame(steps, first, what) {
      const [wanted, actual] = [await run(real, steps, first), await run(fake, steps, first)];
      expect(actual, what).toEqual(wanted);
    },
  };
}
