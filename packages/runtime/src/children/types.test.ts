// Mistakes that the compiler reports: the type check fails if it doesn't.
import { expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { CronJob } from "../api/batch/v1.ts";
import { ConfigMap } from "../api/core/v1.ts";
import type { Client, Stored } from "../client/client.ts";
import { ctx, deploymentSpec, Game, type Game as GameObject } from "./children.fixture.ts";
import { childrenOf } from "./children.ts";
import { keep } from "./types.ts";

const backups = [{ metadata: { name: "daily" }, spec: { schedule: "0 0 * * *" } }];
const sets = childrenOf(
  Game,
  { deployment: Deployment, backups: [CronJob] },
  {
    entries: { deployment: { ready: ({ status }) => status?.readyReplicas === 1 }, backups: { after: ["deployment"] } },
  },
);

/** Contains one mistake per comment, and is never called. */
async function mistakes(client: Client, game: Stored<GameObject>): Promise<[number | undefined, string[]]> {
  const deployment = { spec: deploymentSpec() };
  const { children } = await sets.reconcile(ctx, client, game, { deployment, backups });
  await sets.reconcile(ctx, client, game, { deployment: undefined, backups: keep });
  // @ts-expect-error an entry is missing
  await sets.reconcile(ctx, client, game, { deployment });
  // @ts-expect-error an entry isn't declared
  await sets.reconcile(ctx, client, game, { deployment, backups, more: keep });
  // @ts-expect-error a field of the kind doesn't exist
  await sets.reconcile(ctx, client, game, { deployment: { spec: { replica: 1 } }, backups });
  // @ts-expect-error the status belongs to another controller
  await sets.reconcile(ctx, client, game, { deployment: { status: {} }, backups });
  // @ts-expect-error a child has a name
  await sets.reconcile(ctx, client, game, { deployment: { metadata: { generateName: "a-" } }, backups });
  // @ts-expect-error an item of a list needs a name
  await sets.reconcile(ctx, client, game, { deployment, backups: [{ spec: { schedule: "0 0 * * *" } }] });
  // @ts-expect-error a list isn't one child
  await sets.reconcile(ctx, client, game, { deployment, backups: backups[0] });
  // @ts-expect-error the entry in after isn't declared
  childrenOf(Game, { config: ConfigMap }, { entries: { config: { after: ["secret"] } } });
  // @ts-expect-error an entry can't be after itself
  childrenOf(Game, { config: ConfigMap }, { entries: { config: { after: ["config"] } } });
  // @ts-expect-error options of an entry that isn't declared
  childrenOf(Game, { config: ConfigMap }, { entries: { secret: {} } });
  return [children.deployment?.status?.readyReplicas, children.backups.map(({ metadata }) => metadata.name)];
}

it("mistakes in declarations and wanted values are compile errors", () => {
  expect(mistakes).toBeTypeOf("function");
});
