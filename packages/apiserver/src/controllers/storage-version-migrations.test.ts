import type { JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../index.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const migrations = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
const name = "games.example.com";
const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const versionsOf = (stored: string): JsonObject[] =>
  ["v1", "v2"].map((version) => ({ name: version, served: true, storage: version === stored, schema }));
let server: ApiServer;

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds
async function send(method: string, url: string, body?: object): Promise<any> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await server.handle({ method, url, headers: { "content-type": "application/json" }, ...sent });
  return JSON.parse(String(answer.body));
}

async function migrate(migration: string, resource: string): Promise<JsonObject> {
  await send("POST", migrations, {
    apiVersion: "storagemigration.k8s.io/v1",
    kind: "StorageVersionMigration",
    metadata: { name: migration },
    spec: { resource: { group: "example.com", resource } },
  });
  return ended(migration);
}

/** Waits until a migration doesn't run anymore, and returns its conditions by type. */
async function ended(migration: string): Promise<JsonObject> {
  for (;;) {
    const { status } = await send("GET", `${migrations}/${migration}`);
    const conditions = Object.fromEntries((status?.conditions ?? []).map((one: JsonObject) => [one.type, one]));
    if (conditions.Running?.status === "False") return conditions;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

beforeAll(async () => {
  const names = { plural: "games", singular: "game", kind: "Game", listKind: "GameList" };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: { group: "example.com", scope: "Namespaced", names, versions: versionsOf("v1") },
  };
  server = await startApiServer({ http: false, authorization: "always-allow", crds: [crd] });
  for (const game of ["a", "b"]) {
    const object = { apiVersion: "example.com/v1", kind: "Game", metadata: { name: game } };
    await send("POST", "/apis/example.com/v1/namespaces/default/games", object);
  }
  const definition = await send("GET", `${definitions}/${name}`);
  definition.spec.versions = versionsOf("v2");
  const { status } = await send("PUT", `${definitions}/${name}`, definition);
  expect(status.storedVersions).toEqual(["v1", "v2"]);
});
afterAll(() => server.stop());

it("a migration rewrites the objects and leaves only the storage version in the status of the definition", async () => {
  const conditions = await migrate("m", "games");
  expect(conditions).toMatchObject({
    Succeeded: { status: "True", reason: "StorageVersionMigrationSucceeded", message: "Migration completed" },
  });
  const { status } = await send("GET", `${definitions}/${name}`);
  expect(status.storedVersions).toEqual(["v2"]);
  expect(status.conditions).toContainEqual(
    expect.objectContaining({ type: "StorageMigrating", status: "False", reason: "MigrationSucceeded" }),
  );
});

it("what a migration concerns can't change, and its end is final", async () => {
  const migration = await send("GET", `${migrations}/m`);
  const spec = { resource: { group: "example.com", resource: "others" } };
  expect((await send("PUT", `${migrations}/m`, { ...migration, spec })).message).toContain("spec: Invalid value");
  const { message } = await send("PUT", `${migrations}/m/status`, { ...migration, status: {} });
  expect(message).toContain("Success condition cannot be set to false once it is true");
  expect(message).toContain("status.resourceVersion");
});
