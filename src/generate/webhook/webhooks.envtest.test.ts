// The API server accepts the generated webhooks, unless the generator warned about them.
import { loadAll } from "js-yaml";
import { expect, it } from "vitest";
import { startApiServer } from "../test-support/api-server.ts";
import { webhookCases, webhooks } from "../test-support/webhooks.ts";

/** Labels and CEL in a patch, which only the API server checks. */
const notForeseen = /matchExpressions|must evaluate to bool/;
const { refusal } = startApiServer();

it("the generator warns about all webhooks that the API server rejects, and about no others", async () => {
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
