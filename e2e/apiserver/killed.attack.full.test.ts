// Checks that kubewright-apiserver --data loses no acknowledged write when it is killed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { seededRandom } from "../../scripts/test-support/random.ts";
import { Writers } from "./killed.ts";
import { Server } from "./server.ts";

/** `npm run attack` kills it 192 times; each kill is another start, which takes seconds on a busy machine. */
const kills = 8 * Number(process.env.KUBEWRIGHT_KILLS ?? 8);
const directory = mkdtempSync(join(tmpdir(), "kubewright-killed-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it(`no acknowledged write is lost when the server is killed ${kills} times while clients write`, async () => {
  const seed = Number(process.env.KUBEWRIGHT_SEED ?? Date.now() % 1_000_000);
  const random = seededRandom(seed);
  const writers = new Writers(random);
  for (let round = 0; round <= kills; round++) {
    const server = await Server.start("--data", join(directory, "data"));
    expect(await writers.verify(server), `seed ${seed}, round ${round}`).toEqual([]);
    const writing = writers.write(server, 8);
    const enough = writers.acknowledged + 10 + random() * 150;
    while (writers.acknowledged < enough) await new Promise((resolve) => setTimeout(resolve, 1));
    await server.kill("SIGKILL");
    await writing;
  }
  process.stdout.write(`${writers.acknowledged} writes acknowledged, ${kills} kills, none lost\n`);
  expect(writers.acknowledged).toBeGreaterThan(40 * kills);
});
