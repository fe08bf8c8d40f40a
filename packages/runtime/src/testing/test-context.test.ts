import { expect, it } from "vitest";
import { Ticket, TicketDefaulter, TicketValidator, ticket } from "../webhook/ticket.fixture.ts";
import { testContext } from "./index.ts";

it("testContext allows calls of defaulters and validators without a manager", async () => {
  const object = ticket("one", { title: "opera" });
  new TicketDefaulter().default(testContext({ request: { operation: "CREATE" } }), object);
  expect(object.spec.seats).toBe(1);
  expect(() => new TicketValidator().validateCreate(testContext(), ticket("one", { title: "forbidden" }))).toThrow(
    "nobody may sell",
  );
  expect(Ticket.kind).toBe("Ticket");
});

it("testContext contains the fields of a context, and the given ones", () => {
  const ctx = testContext({ reconcileID: "x", request: { dryRun: true } });
  ctx.log.with({ a: 1 }).info("nothing is written");
  expect(ctx).toMatchObject({ reconcileID: "x", reasons: [], request: { dryRun: true } });
  expect(ctx.signal.aborted).toBe(false);
});
