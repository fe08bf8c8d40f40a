// Makes random edits under `scaffold dev`. After each, the cluster serves the current types and webhooks, and the current
// code runs or an error is shown. KUBEWRIGHT_DEV_EDITS sets the number, KUBEWRIGHT_DEV_SEED the sequence.
import { describe, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { Dev, processesWith } from "./dev-session.ts";
import { cronJobExample, EditedProject, type EditName, gameExample } from "./edited-project.ts";
import { EditedSession, expectCurrent } from "./edited-session.ts";

const edits = Number(process.env.KUBEWRIGHT_DEV_EDITS ?? 100);
const seed = Number(process.env.KUBEWRIGHT_DEV_SEED ?? 1);
/** Returns a generator of numbers in [0, 1), which is the same for the same seed. */
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the time that the given share of sorted times doesn't exceed, in milliseconds. */
function percentile(times: readonly { time: number }[], share: number): number {
  return times[Math.ceil(times.length * share) - 1]?.time ?? 0;
}

describe.each([
  ["Game", gameExample],
  ["CronJob", cronJobExample],
])("the %s", (_kind, example) => {
  it(`serves the current types and runs the current code after each of ${edits} edits (seed ${seed})`, async () => {
    const project = await EditedProject.create(example, randomNumbers(seed));
    const dev = new Dev(project.root);
    try {
      const { kubeconfig } = await dev.event("ready");
      await dev.event("reconciled");
      const session = new EditedSession(project, String(kubeconfig));
      const times: { name: EditName; event: string; time: number }[] = [];
      const counts = new Map<EditName, number>();
      for (let number = 1; number <= edits; number++) {
        const name = project.next();
        counts.set(name, (counts.get(name) ?? 0) + 1);
        const wasBroken = project.broken !== "";
        const [started, before] = [Date.now(), dev.lines.length];
        project.edit(name);
        const about = `edit ${number}: ${name}, ${JSON.stringify(project.broken)}`;
        await eventually(() => expectCurrent(project, session, about), 120_000, 100).catch((error: unknown) => {
          const lines = dev.lines.slice(before).map((line) => JSON.stringify(line));
          throw new Error(`${about}\n${lines.join("\n")}`, { cause: error });
        });
        const news = dev.lines.slice(before);
        if (project.isIncompatible && !wasBroken) {
          const breaking = news.flatMap((line) => (line.event === "generated" ? (line.breaking as object[]) : []));
          expect(breaking, about).toContainEqual(expect.objectContaining({ id: "type-changed" }));
        }
        const effect = news.find(({ event }) => ["applied", "started", "error"].includes(event));
        if (effect && !wasBroken && !name.startsWith("branch")) {
          times.push({ name, event: effect.event, time: Date.parse(effect.time) - started });
        }
      }
      times.sort((a, b) => a.time - b.time);
      const effects = times.filter(({ event }) => event !== "error");
      const describe = (of: typeof times) =>
        `${of.length}: p50 ${percentile(of, 0.5)} ms, p95 ${percentile(of, 0.95)} ms`;
      const slowest = times.slice(-5).map(({ name, event, time }) => `${name} until ${event} ${time} ms`);
      console.log(
        `${example.kind}, ${edits} edits (${[...counts].join(" ")}); effects ${describe(effects)}; errors ${describe(
          times.filter(({ event }) => event === "error"),
        )}; slowest: ${slowest.join(", ")}`,
      );
      await session.close();
      dev.child.kill("SIGTERM");
      expect(await dev.ended).toBe(0);
      expect(await processesWith(project.root)).toEqual([]);
    } finally {
      await dev.remove();
    }
  });
});
