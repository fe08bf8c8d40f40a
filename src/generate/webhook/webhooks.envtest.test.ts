// The API server takes what we generate, unless we warned of it.
import { loadAll } from "js-yaml";
import { expect, it } from "vitest";
import { startApiServer } from "../test-support/api-server.ts";
import { webhookCases, webhooks } from "../test-support/webhooks.ts";

/** What a patch says of labels and in CEL is left to the API server. */
const notForeseen = /matchExpressions|must evaluate to bool/;
const { refusal } = startApiServer();

it("warns of everything that the API server refuses, and of nothing else that it minds", async () => {
  const unforeseen: string[] = [];
  const unneeded: string[] = [];
  let compared = 0;
  for (const { name, packages } of webhookCases) {
    const { yaml, errors, findings } = webhooks(packages);
    if (errors.length > 0 || yaml === "") continue;
    const refusals = await Promise.all(loadAll(yaml).map(refusal));
    const refused = refusals.find((error) => error !== undefined)?.message;
    compared++;
    const refusing = findings.filter(({ id }) => id.startsWith("webhook-") && id !== "webhook-reinvocation-policy");
    if (refused !== undefined && !notForeseen.test(refused) && refusing.length === 0)
      unforeseen.push(`${name}: ${refused}`);
    if (refused === undefined && refusing.length > 0) unneeded.push(`${name}: ${refusing[0]?.message}`);
  }
  expect({ unforeseen, unneeded }).toEqual({ unforeseen: [], unneeded: [] });
  expect(compared).toBeGreaterThan(100);
});
