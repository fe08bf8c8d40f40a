import { isCertainlyGo, stringFormat } from "@kubewright/cel/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectLinear } from "../../../../scripts/test-support/growth.ts";
import { type ApiServer, startApiServer } from "./server.ts";

const formats = [
  ...["bsonobjectid", "uri", "email", "ipv4", "ipv6", "cidr", "mac", "uuid", "isbn", "creditcard", "ssn"],
  ...["hexcolor", "rgbcolor", "byte", "date", "duration", "datetime", "k8s-short-name", "k8s-long-name"],
];
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false });
});
afterAll(() => server.stop());

/** Returns the processor time of a request in milliseconds. */
async function timeOf(body: object): Promise<number> {
  const url = "/api/v1/namespaces/default/configmaps?dryRun=All";
  const start = process.cpuUsage();
  const { status } = await server.handle({ method: "POST", url, headers: {}, body: JSON.stringify(body) });
  expect(status).toBe(201);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

it("bodies with many unknown fields are read in linear time", async () => {
  const body = (size: number): object => ({
    metadata: { name: "a" },
    ...Object.fromEntries(Array.from({ length: size }, (_, index) => [`f${index}`, 1])),
  });
  await timeOf(body(5000));
  const small = Math.min(await timeOf(body(5000)), await timeOf(body(5000)), await timeOf(body(5000)));
  const large = Math.min(await timeOf(body(80_000)), await timeOf(body(80_000)));
  expect(large / small / 16).toBeLessThan(6);
});

describe("formats are checked in linear time", () => {
  it.each(formats)("%s", (format) => {
    const check = stringFormat(format.replaceAll("-", "")) ?? (() => true);
    for (const part of ["1", "a", ".", "11s", ":", " ", "-", "1 "]) {
      expectLinear(
        (text: string) => check(text),
        (size) => part.repeat(size),
        { to: 400_000 },
      );
    }
  });
});

it("definitions with many repetitions in patterns need no library to be checked", () => {
  expect(isCertainlyGo("^[a-z]{1,900}$")).toBe(true);
  expect(isCertainlyGo("(x{1000})?".repeat(500))).toBe(true);
  expect(isCertainlyGo("(x{1000})?".repeat(5000))).toBe(false);
});
