import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@kubewright/runtime";
import { Secret } from "@kubewright/runtime/api/core/v1";
import { ConfigMap, Widget } from "../../packages/runtime/src/manager/widget.fixture.ts";
import type { OperatorProcess } from "../../packages/runtime/tests/faults/operator-process.ts";
import { numberOf, type SoakState, soakLabel } from "./operator/protocol.ts";

type Operator = OperatorProcess<SoakState>;
const labels = `${soakLabel}=yes`;

/** Repeats the query until nothing is left or the time is over. Returns the last result. */
export async function waitForNone(left: () => Promise<string[]>, milliseconds: number): Promise<string[]> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const lines = await left();
    if (lines.length === 0 || performance.now() > end) return lines;
    await sleep(500);
  }
}

/** Compares the server with the expected results of the operator, and with its cache. Returns one line per difference. */
export async function unsettled(client: Client, operator: Operator): Promise<string[]> {
  const [{ items: widgets }, { items: maps }, { items: secrets }] = await Promise.all([
    client.list(Widget, { labels }),
    client.list(ConfigMap, { labels }),
    client.list(Secret, { labels: soakLabel }),
  ]);
  const { cached } = await operator.state();
  const id = ({ metadata }: { metadata: { namespace?: string; name: string } }): string =>
    `${metadata.namespace}/${metadata.name}`;
  const colors = new Map(maps.map((map) => [id(map), map.data?.color]));
  const painted = new Map(secrets.map((secret) => [id(secret), secret.metadata.labels?.[soakLabel]]));
  const cachedNames = new Set(cached);
  const there = new Set(widgets.map(id));
  const gone = (names: Iterable<string>, what: string): string[] =>
    [...names].filter((name) => !there.has(name)).map((name) => `${what} ${name}, whose Widget is deleted`);
  return [
    ...widgets.flatMap((widget) => {
      const { spec, status } = widget;
      const name = id(widget);
      const isTenth = numberOf(widget.metadata.name) % 10 === 0;
      const wanted = numberOf(spec.color) % 2 === 0 ? "yes" : "no";
      return [
        status?.color === spec.color ? "" : `status of ${name} is ${status?.color}, not ${spec.color}`,
        colors.get(name) === spec.color ? "" : `ConfigMap of ${name} is ${colors.get(name)}, not ${spec.color}`,
        !isTenth || painted.get(name) === wanted ? "" : `Secret of ${name} is ${painted.get(name)}, not ${wanted}`,
        cachedNames.has(name) ? "" : `${name} is not in the cache`,
      ].filter(Boolean);
    }),
    ...gone(cachedNames, "the cache has"),
    ...gone(colors.keys(), "the server has the ConfigMap"),
    ...gone(painted.keys(), "the server has the Secret"),
  ];
}

/** Compares the sizes of queue, own writes and caches with their initial values. Returns one line per difference. */
export async function undrained(operator: Operator, start: Record<string, number>): Promise<string[]> {
  const { sizes } = await operator.state();
  return Object.entries(sizes)
    .filter(([name, size]) => size !== start[name])
    .map(([name, size]) => `${name}: ${size}, was ${start[name]}`);
}
