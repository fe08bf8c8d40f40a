// Compares createValidator of @kubewright/cel with the embedded API server, and with kube-apiserver if it is available.
import { createValidator } from "@kubewright/cel";
import { ApiError, createTransport, type Transport } from "@kubewright/runtime";
import type { KubernetesObject } from "@kubewright/runtime/api";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "games.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Game", plural: "games", singular: "game", listKind: "GameList" },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["players"],
                properties: {
                  players: { type: "integer", minimum: 2, maximum: 8, multipleOf: 2 },
                  mode: { type: "string", enum: ["chess", "go"], default: "chess", maxLength: 10 },
                  name: { type: "string", pattern: "^[a-z]+$", minLength: 2 },
                  start: { type: "string", format: "date-time" },
                  address: { type: "string", format: "ipv4" },
                  pause: { "x-kubernetes-int-or-string": true },
                  labels: { type: "object", maxProperties: 2, additionalProperties: { type: "string" } },
                  tags: { type: "array", maxItems: 3, "x-kubernetes-list-type": "set", items: { type: "string" } },
                  ports: {
                    type: "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                    items: {
                      type: "object",
                      required: ["name"],
                      properties: { name: { type: "string" }, port: { type: "integer", default: 80 } },
                    },
                  },
                },
                "x-kubernetes-validations": [
                  {
                    rule: "self.mode != 'chess' || self.players == 2",
                    messageExpression: "self.mode + ' has two players'",
                    fieldPath: ".players",
                  },
                  { rule: "!has(self.name) || self.name.startsWith('a')", reason: "FieldValueForbidden" },
                ],
              },
            },
          },
        },
      },
    ],
  },
};

const environment = new TestEnvironment({ crds: [definition as KubernetesObject] });
let transport: Transport;
beforeAll(async () => {
  transport = createTransport(await environment.start());
});
afterAll(async () => {
  await transport?.close();
  await environment.stop();
});

const validate = createValidator(definition);
const path = "/apis/example.com/v1/namespaces/default/games?dryRun=All";

/** The answer of a server: the spec of the created object, or the errors, in the order of their texts. */
interface Answer {
  readonly spec?: unknown;
  readonly errors: readonly string[];
}

async function create(body: object): Promise<Answer> {
  try {
    const { body: created } = await transport.request({ method: "POST", path, body });
    return { spec: (created as { spec: object }).spec, errors: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const causes = error.status.details?.causes ?? [];
    // The order of the fields of maps is random in kube-apiserver.
    return { errors: causes.map(({ field, message }) => `${field}: ${message}`).sort() };
  }
}

it.each<[string, object, object?]>([
  ["defaults", { players: 2, ports: [{ name: "web" }] }],
  ["unknown fields", { players: 2, extra: { a: 1 }, ports: [{ name: "web", protocol: "TCP" }] }],
  ["a missing field", { mode: "go" }],
  ["limits of numbers", { players: 9, mode: "go" }],
  ["multiples", { players: 3, mode: "go" }],
  ["enumerations and patterns", { players: 2, mode: "poker", name: "A" }],
  ["formats", { players: 2, start: "noon", address: "300.1.1.1" }],
  ["types", { players: "2", mode: 1, labels: [] }],
  ["integers or texts", { players: 2, pause: true }],
  ["sizes", { players: 2, labels: { a: "1", b: "2", c: "3" }, tags: ["a", "b", "c", "d"] }],
  ["sets", { players: 2, tags: ["a", "a"] }],
  ["maps", { players: 2, ports: [{ name: "a" }, { name: "a" }, {}] }],
  ["rules", { players: 4 }],
  ["several rules", { players: 4, name: "bb" }],
  ["names", { players: 2 }, { name: "A_B" }],
  ["labels", { players: 2 }, { name: "a", labels: { "-": "x y" }, annotations: { "a b": "" } }],
  ["generated names", { players: 2 }, { generateName: "game-" }],
])("%s", async (_, spec, metadata = { name: "a" }) => {
  const object = { apiVersion: "example.com/v1", kind: "Game", metadata, spec };
  const { object: stored, errors } = validate(object);
  const messages = errors.map(({ message }) => message).sort();
  expect(messages.length > 0 ? { errors: messages } : { spec: stored.spec, errors: [] }).toEqual(await create(object));
});
