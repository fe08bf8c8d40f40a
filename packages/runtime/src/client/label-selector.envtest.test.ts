// The cache must select the same objects as the API server: both evaluate random selectors.
import { afterAll, beforeAll, expect, it } from "vitest";
import { groupVersion } from "../api/kind.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { isBadRequest } from "../errors/predicates.ts";
import { seededRandom } from "../json/random.fixture.ts";
import { createTransport } from "../transport/create-transport.ts";
import type { Transport } from "../transport/transport.ts";
import type { Client } from "./client.ts";
import { labelMatcher } from "./label-selector.ts";
import { createLiveClient } from "./live-client.ts";

const ConfigMap = groupVersion("", "v1").kind("ConfigMap");
const environment = new TestEnvironment();
let transport: Transport;
let client: Client;

const labels: Record<string, string>[] = [
  {},
  { app: "game" },
  { app: "" },
  { app: "game", tier: "gold" },
  { rev: "4" },
  { rev: "10", app: "in" },
  { rev: "9223372036854775807" },
  { rev: "9223372036854775808" },
  { rev: "05" },
  { rev: "five" },
  { in: "notin", notin: "in" },
  { "example.com/app": "game", a: "b" },
  { constructor: "x" },
];

beforeAll(async () => {
  transport = createTransport(await environment.start());
  client = createLiveClient({ transport, mapper: createRestMapper(transport) });
  await Promise.all(
    labels.map((its, index) =>
      client.create({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { namespace: "default", name: `c${index}`, labels: { test: "selectors", ...its } },
      }),
    ),
  );
});
afterAll(async () => {
  await transport?.close();
  await environment.stop();
});

it("the cache selects and rejects the same as the API server for random label selectors", async () => {
  const seed = Number(process.env.KUBEWRIGHT_SEED ?? 20261122);
  const random = seededRandom(seed);
  const differences: unknown[] = [];
  const verdicts = { selected: 0, refused: 0 };
  for (let batch = 0; batch < 150; batch++) {
    const selectors = Array.from({ length: 20 }, () => randomSelector(random));
    await Promise.all(
      selectors.map(async (selector) => {
        const [live, cached] = [await liveVerdict(selector), cachedVerdict(selector)];
        verdicts[live === "refused" ? "refused" : "selected"]++;
        if (live !== cached) differences.push({ selector, live, cached });
      }),
    );
  }
  expect(differences, `seed ${seed}`).toEqual([]);
  expect(verdicts.selected).toBeGreaterThan(500);
  expect(verdicts.refused).toBeGreaterThan(500);
});

async function liveVerdict(selector: string): Promise<string> {
  try {
    const { items } = await client.list(ConfigMap, { namespace: "default", labels: `test=selectors,${selector}` });
    return indexes((index) => items.some(({ metadata }) => metadata.name === `c${index}`));
  } catch (error) {
    if (isBadRequest(error)) return "refused";
    throw error;
  }
}

function cachedVerdict(selector: string): string {
  try {
    const matches = labelMatcher(`test=selectors,${selector}`);
    return indexes((index) => matches({ test: "selectors", ...labels[index] }));
  } catch {
    return "refused";
  }
}

function indexes(isSelected: (index: number) => boolean): string {
  return labels
    .map((_, index) => index)
    .filter(isSelected)
    .join(" ");
}

/** Returns valid, almost valid and invalid selectors: requirements of the grammar, some of them with changed tokens. */
function randomSelector(random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const space = () => pick(["", "", "", " ", "  ", "\t", "\n"]);
  const key = () => pick(["app", "tier", "rev", "in", "notin", "a", "example.com/app", "constructor", "missing"]);
  const value = () =>
    pick(["game", "gold", "4", "5", "10", "in", "notin", "b", "x", "", "five", "9223372036854775807"]);
  const odd = () =>
    pick([
      "-",
      "a b",
      "a/b/c",
      "/a",
      "A_.-z",
      "ä",
      "!",
      "=",
      "==",
      "!=",
      "(",
      ")",
      ",",
      "<",
      ">",
      "-5",
      "+5",
      "x".repeat(64),
      "9223372036854775808",
      "\u000b",
    ]);
  const list = () => `(${space()}${Array.from({ length: below(4) }, value).join(`${space()},${space()}`)}${space()})`;
  const requirement = () => {
    const parts = pick<() => string[]>([
      () => [key()],
      () => ["!", key()],
      () => [key(), pick(["=", "==", "!="]), value()],
      () => [key(), pick([">", "<"]), pick(["4", "5", "10", "05", "five", ""])],
      () => [key(), " in ", list()],
      () => [key(), " notin ", list()],
    ])();
    if (below(5) === 0) parts[below(parts.length)] = odd();
    if (below(8) === 0) parts.splice(below(parts.length), 0, odd());
    return parts.join(space());
  };
  return Array.from({ length: 1 + below(3) }, requirement).join(`${space()},${space()}`);
}
