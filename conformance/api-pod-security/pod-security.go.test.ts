// The embedded server must respond to upstream's fixtures of all versions as the real server does, and the recorded
// responses must be current. With -u, this test records them.
import { setTimeout } from "node:timers/promises";
import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seededNumbers } from "../../packages/runtime/src/json/random.fixture.ts";
import type { Send } from "../api-builtin/send.ts";
import { inProcess, overHttps } from "../api-builtin/servers.ts";
import { createNamespaces, createPod } from "./exchange.ts";
import { extractFixtures, type Fixture } from "./fixtures.ts";
import { minorVersions } from "./pods.ts";
import { RandomPods } from "./random-pods.ts";
import { answersToScenarios } from "./requests.ts";
import { answersToRows, asLines } from "./rows.ts";

const environment = new TestEnvironment({ engine: "binaries" });
let server: ApiServer;
let real: Send;
let fixtures: Fixture[];

beforeAll(async () => {
  fixtures = extractFixtures();
  server = await startApiServer({ http: false, controllers: { garbageCollector: false, namespace: false } });
  real = overHttps(await environment.start());
});

afterAll(async () => {
  await server?.stop();
  await environment.stop();
});

it("the recorded fixtures are upstream's newest ones", async () => {
  const newest = `v1.${Math.max(...fixtures.map(({ version }) => Number(version.slice(3))))}`;
  const lines = fixtures
    .filter(({ version }) => version === newest)
    .map(({ level, verdict, name, pod }) => ({ name: `${level} ${verdict} ${name}`, pod }));
  await expect(asLines(lines)).toMatchFileSnapshot("testdata/fixtures.jsonl");
});

it("the recorded responses equal those of the real server", async () => {
  await expect(asLines(await answersToRows(real))).toMatchFileSnapshot("testdata/answers.jsonl");
  const answers = await answersToScenarios(real, () => setTimeout(2000));
  await expect(asLines(answers)).toMatchFileSnapshot("testdata/requests.jsonl");
});

it("the embedded server responds to upstream's fixtures as the real server does", async () => {
  const levels = [...new Set(fixtures.map(({ level, version }) => `${level}:${version}`))];
  const embedded = inProcess(server);
  for (const send of [real, embedded]) await createNamespaces(send, levels);
  const different: unknown[] = [];
  const codes = new Set<string>();
  for (const { level, version, verdict, name, pod } of fixtures) {
    const at = `${level}:${version}`;
    const expected = await createPod(real, pod, at);
    const actual = await createPod(embedded, pod, at);
    codes.add(`${verdict} ${expected.code}`);
    if (JSON.stringify(expected) !== JSON.stringify(actual)) different.push({ at, verdict, name, expected, actual });
  }
  expect(fixtures.length).toBeGreaterThan(4000);
  expect(different).toEqual([]);
  // Some fixtures of old versions aren't valid Pods anymore.
  expect([...codes].sort()).toEqual(["fail 403", "fail 422", "pass 201"]);
});

it("the embedded server responds to random Pods as the real server does", async () => {
  const seed = Number(process.env.KUBEWRIGHT_SEED ?? 1);
  const below = seededNumbers(seed);
  const random = new RandomPods(below);
  const levels = ["baseline", "restricted"].flatMap((level) =>
    ["latest", ...minorVersions.map((minor) => `v1.${minor}`)].map((version) => `${level}:${version}`),
  );
  const embedded = inProcess(server);
  for (const send of [real, embedded]) await createNamespaces(send, levels);
  const codes: Record<number, number> = {};
  for (let round = 0; round < 3000; round++) {
    const pod = random.pod();
    const level = levels[below(levels.length)] as string;
    const expected = await createPod(real, pod, level);
    codes[expected.code] = (codes[expected.code] ?? 0) + 1;
    const actual = await createPod(embedded, pod, level);
    expect({ seed, pod, level, ...actual }).toEqual({ seed, pod, level, ...expected });
  }
  for (const code of [201, 403]) expect(codes[code], `Pods with ${code}`).toBeGreaterThan(100);
});
