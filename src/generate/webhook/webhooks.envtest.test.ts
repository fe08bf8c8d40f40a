// The API server takes what we generate, unless we warned of it.
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { loadAll } from "js-yaml";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTransport } from "../../../runtime/src/transport/create-transport.ts";
import type { Transport } from "../../../runtime/src/transport/transport.ts";
import { webhookCases, webhooks } from "../test-support/webhooks.ts";

/** What a patch says of labels and in CEL is left to the API server. */
const notForeseen = /matchExpressions|must evaluate to bool/;
const environment = new TestEnvironment();
let transport: Transport;

beforeAll(async () => {
  await environment.start();
  transport = createTransport(environment.config);
});
afterAll(async () => {
  await transport?.close();
  await environment.stop();
});

/** Why the API server refuses a document; undefined if it takes it. */
async function refusal(document: { kind: string }): Promise<string | undefined> {
  const path = `/apis/admissionregistration.k8s.io/v1/${document.kind.toLowerCase()}s`;
  try {
    await transport.request({ method: "POST", path, query: { dryRun: "All" }, body: document });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

it("warns of everything that the API server refuses, and of nothing else that it minds", async () => {
  const unforeseen: string[] = [];
  const unneeded: string[] = [];
  let compared = 0;
  for (const { name, packages } of webhookCases) {
    const { yaml, errors, findings } = webhooks(packages);
    if (errors.length > 0 || yaml === "") continue;
    const refusals = await Promise.all((loadAll(yaml) as { kind: string }[]).map(refusal));
    const refused = refusals.find((message) => message !== undefined);
    compared++;
    const refusing = findings.filter(({ id }) => id.startsWith("webhook-") && id !== "webhook-reinvocation-policy");
    if (refused !== undefined && !notForeseen.test(refused) && refusing.length === 0)
      unforeseen.push(`${name}: ${refused}`);
    if (refused === undefined && refusing.length > 0) unneeded.push(`${name}: ${refusing[0]?.message}`);
  }
  expect({ unforeseen, unneeded }).toEqual({ unforeseen: [], unneeded: [] });
  expect(compared).toBeGreaterThan(100);
});
