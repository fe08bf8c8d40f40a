// The responses of the embedded server must equal the recorded ones of the real server.
import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import { afterAll, beforeAll, expect, it } from "vitest";
import { inProcess } from "../api-builtin/servers.ts";
import { answersToScenarios, type RecordedVerdict } from "./requests.ts";
import { answersToRows, linesOf, type RecordedAnswer } from "./rows.ts";

let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ http: false, controllers: { garbageCollector: false, namespace: false } });
});

afterAll(() => server?.stop());

it("the server responds to Pods as the real server does", async () => {
  const expected = linesOf<RecordedAnswer>("answers.jsonl");
  expect(expected.length).toBeGreaterThan(550);
  expect(await answersToRows(inProcess(server))).toEqual(expected);
});

it("the server responds to namespaces, templates and changes of Pods as the real server does", async () => {
  const expected = linesOf<RecordedVerdict>("requests.jsonl");
  expect(expected.length).toBeGreaterThan(80);
  expect(await answersToScenarios(inProcess(server), async () => {})).toEqual(expected);
});
