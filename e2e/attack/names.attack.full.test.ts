import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../scripts/test-support/random.ts";
import { type HostileCall, hostileCalls, hostileValues } from "./names.ts";
import { countAttempts, eachOf, gameProject, projectOf, Sandbox, seedOf } from "./sandbox.ts";

let game: Awaited<ReturnType<typeof projectOf>>;
beforeAll(async () => {
  game = await projectOf(gameProject);
});
afterAll(() => game.remove());

/** Number of calls. `KUBEWRIGHT_NAMES=all` tries each flag with each value. */
const sample =
  process.env.KUBEWRIGHT_NAMES === "all" ? Number.POSITIVE_INFINITY : Number(process.env.KUBEWRIGHT_NAMES ?? 600);

function some<T>(items: readonly T[], count: number, random: () => number): T[] {
  const keyed = items.map((item) => [random(), item] as const).sort(([a], [b]) => a - b);
  return keyed.slice(0, Math.min(count, keyed.length)).map(([, item]) => item);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals interpret these characters.
const controls = /[\u0000-\u0009\u000b-\u001f\u202e]/;

/** Runs a call, which must not write outside of the project, and must print only lines without control characters. */
async function attempt({ args, value }: HostileCall): Promise<void> {
  const sandbox = new Sandbox(args[0] === "init" || args[0] === "migrate" ? undefined : game.path);
  const place = (text: string) => text.replaceAll("BASE", sandbox.base);
  const before = sandbox.outside();
  const end = await sandbox.scaffold(args.map(place), { PATH: "/usr/bin:/bin" });
  const call = JSON.stringify(args).slice(0, 300);
  expect([0, 1, 2], `${call}: ${end.stderr}`).toContain(end.code);
  expect(end.stderr, call).not.toMatch(/this is a bug|\n\s+at /);
  const shown = end.stderr + (args[0] === "generate" ? "" : end.stdout);
  expect(shown, call).not.toMatch(controls);
  if (end.code === 2 && value.length > 1000) expect(end.stderr.length, call).toBeLessThan(1500);
  expect(sandbox.outside(), call).toEqual(before);
}

describe("paths out of the project", () => {
  it("in every flag and argument of every command change nothing outside", async ({ task }) => {
    const random = seededRandom(seedOf());
    const calls = some(await hostileCalls(), sample, random);
    await eachOf(calls, attempt);
    countAttempts(task, calls.length);
  });

  it("in every key of PROJECT change nothing outside", async ({ task }) => {
    const random = seededRandom(seedOf());
    const text = readFileSync(join(game.path, "PROJECT"), "utf8");
    const values = /^(?<head>[ -]+|)(?<key>\w+): (?<value>.+)$/gm;
    const keys = [...text.matchAll(values)].filter(({ groups }) => groups?.key !== "version" || groups.head !== "");
    const extra = ["  path: VALUE", "  controllers:\n  - name: VALUE", "  plural: VALUE"];
    const projects = hostileValues.flatMap((value) => [
      ...keys.map((match) => {
        const at = match.index + match[0].length - (match.groups?.value?.length ?? 0);
        return {
          value,
          text: `${text.slice(0, at)}${JSON.stringify(value)}${text.slice(match.index + match[0].length)}`,
        };
      }),
      ...extra.map((lines) => ({
        value,
        text: text.replace(
          /^ {2}kind: .*$/m,
          (kind) => `${kind}\n${lines.replace("VALUE", () => JSON.stringify(value))}`,
        ),
      })),
    ]);
    const next = [
      "upgrade",
      "doctor",
      "delete api --group shop --version v1 --kind Game",
      "edit --multigroup",
      "edit --helm",
      "generate",
    ];
    const chosen = some(projects, sample / 2, random);
    await eachOf(chosen, async ({ text: project, value }) => {
      const sandbox = new Sandbox(game.path);
      writeFileSync(join(sandbox.project, "PROJECT"), project.replaceAll("BASE", sandbox.base));
      const before = sandbox.outside();
      const command = next[Math.floor(random() * next.length)] ?? "upgrade";
      const end = await sandbox.scaffold(command.split(" "), { PATH: "/usr/bin:/bin" });
      const call = `${command} with ${JSON.stringify(value).slice(0, 100)} in\n${project.slice(0, 2000)}`;
      expect([0, 1, 2], `${call}: ${end.stderr}`).toContain(end.code);
      expect(end.stderr, call).not.toMatch(/this is a bug|\n\s+at /);
      expect(sandbox.outside(), call).toEqual(before);
    });
    countAttempts(task, chosen.length);
  });
});
