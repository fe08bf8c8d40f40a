import { expect, it } from "vitest";
import { Secret } from "../api/core/v1.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { ignoreNotFound } from "../errors/predicates.ts";
import { eventually } from "./checks/invariant.ts";
import { key, reconcileShops, shopCrd, shopScenario } from "./shop.fixture.ts";
import { SimulationError, simulate } from "./simulate.ts";

const value = "Sup3r-s3cret";
const encoded = Buffer.from(value).toString("base64");

/** Runs an operator that stores a credential in a Secret and gives it to an external system. */
async function findingWith(invariants: ReturnType<typeof eventually>[], faults: ["hands"] | [] = []) {
  const options = {
    crds: [shopCrd],
    scenario: shopScenario,
    invariants,
    faults,
    external: { login: async (user: { name: string; password: string }) => void user },
    seeds: 200,
    operator: async (mgr: Parameters<typeof reconcileShops>[0], world: { external: unknown }) => {
      await reconcileShops(mgr, Secret, async (shop, request) => {
        const data = { extra: Buffer.from(`${value} ${shop.spec.replicas}`).toString("base64"), "tls.key": encoded };
        const before = await ignoreNotFound(mgr.client.get(Secret, request));
        const wanted: Secret = { apiVersion: "v1", kind: "Secret", metadata: { ...key }, data };
        setControllerReference(shop, wanted);
        const { login } = world.external as { login(user: object): Promise<void> };
        await login({ name: "shop", password: value });
        if (!before) await mgr.client.create(wanted);
        // Never restores a key that somebody has changed by hand.
        else if (before.metadata.annotations?.replicas !== String(shop.spec.replicas)) {
          const annotations = { replicas: String(shop.spec.replicas) };
          await mgr.client.update({ ...before, metadata: { ...before.metadata, annotations }, data });
        }
      });
    },
  };
  const error = await simulate(options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SimulationError);
  return error as SimulationError;
}

it.each([
  ["a rule of the user", [eventually("no Secret", (world) => world.list(Secret).length === 0)], []],
  ["convergence", [], ["hands"]],
] as const)("neither the text nor the report of a finding contains credentials: %s", async (_name, rules, faults) => {
  const { message, finding } = await findingWith([...rules], [...faults] as []);
  const text = message + JSON.stringify(finding);
  expect(text).toContain("Secret default/a");
  for (const secret of [value, encoded, encoded.slice(0, 12)]) expect(text).not.toContain(secret);
  expect(text).toContain("[redacted]");
});
