import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newWebhookManagedBy } from "../builder/webhook-builder.ts";
import { createLogger } from "../log/create-logger.ts";
import { Denied } from "./admission/denied.ts";
import { json, review, send, startServer, type TestServer } from "./server.fixture.ts";
import { Ticket, TicketV1beta1, ticket } from "./ticket.fixture.ts";

const fails = (): never => {
  throw new Error("unreadable");
};
const revoked = Proxy.revocable(new Error("x"), {});
revoked.revoke();
const circle = new Error("circle");
circle.cause = circle;

/** Values that throw when they are read. */
const hostile: [name: string, value: unknown][] = [
  ["a revoked proxy", revoked.proxy],
  ["an error that is its own cause", circle],
  ["an error whose message can't be read", Object.defineProperty(new Error("x"), "message", { get: fails })],
  ["an error whose cause can't be read", Object.defineProperty(new Error("x"), "cause", { get: fails })],
  ["a denial with 300,000 warnings", new Denied("no", { warnings: Array<string>(300_000).fill("w") })],
  ["an object that can't become text", { toJSON: fails, toString: fails }],
  ["an object without prototype", Object.create(null)],
  ["a symbol", Symbol("x")],
];

describe("errors that throw when they are read", () => {
  let t: TestServer;
  const indexOf = (object: { metadata?: { name?: string } }): number =>
    Number(object.metadata?.name?.split("-")[1] ?? -1);
  const maybe = (object: { metadata?: { name?: string } }): void => {
    const index = indexOf(object);
    if (index >= 0) throw hostile[index]![1];
  };

  beforeAll(async () => {
    t = await startServer(
      (server) => {
        void newWebhookManagedBy({ webhookServer: server }, Ticket)
          .withDefaulter({ default: (_ctx, object) => maybe(object) })
          .withValidator({
            validateCreate: async (_ctx, object) => maybe(object),
            validateUpdate: (_ctx, _before, object) => maybe(object),
            validateDelete: (_ctx, object) => maybe(object),
          })
          .withConverter({
            hub: Ticket,
            spokes: [
              {
                kind: TicketV1beta1,
                toHub: (object) => {
                  maybe(object);
                  return { ...object, apiVersion: Ticket.apiVersion } as unknown as Ticket;
                },
                fromHub: (object) => {
                  maybe(object);
                  return { ...object, apiVersion: TicketV1beta1.apiVersion } as unknown as TicketV1beta1;
                },
              },
            ],
          })
          .complete();
      },
      {},
      { log: createLogger({ destination: { write() {} } }) },
    );
  });
  afterAll(() => t.stop());

  it.each(hostile.map(([name], index) => [name, index] as const))(
    "deny one review and affect no other: %s",
    async (_, index) => {
      for (const path of ["/mutate-webhook-kubewright-dev-v1-ticket", "/validate-webhook-kubewright-dev-v1-ticket"]) {
        const [bad, good] = await Promise.all([
          review(t.port, path, {
            operation: "CREATE",
            object: { ...ticket(`bad-${index}`, { title: "x" } as Ticket["spec"]) },
          }),
          review(t.port, path, {
            operation: "CREATE",
            object: { ...ticket("good", { title: "x" } as Ticket["spec"]) },
          }),
        ]);
        expect([bad.response.allowed, good.response.allowed]).toEqual([false, true]);
      }
      const convert = async (name: string): Promise<string> => {
        const request = {
          uid: "u",
          desiredAPIVersion: TicketV1beta1.apiVersion,
          objects: [ticket(name, { title: "x" } as Ticket["spec"])],
        };
        const body = JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request });
        const { text } = await send(t.port, { path: "/convert", headers: json }, body);
        return (JSON.parse(text) as { response: { result: { status: string } } }).response.result.status;
      };
      expect(await Promise.all([convert(`bad-${index}`), convert("good")])).toEqual(["Failure", "Success"]);
    },
  );
});
