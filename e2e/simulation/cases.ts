import { children } from "./defects/children.ts";
import { claims } from "./defects/claims.ts";
import { clusters } from "./defects/clusters.ts";
import { drift } from "./defects/drift.ts";
import { errors } from "./defects/errors.ts";
import { external } from "./defects/external.ts";
import { given } from "./defects/given.ts";
import { grants } from "./defects/grants.ts";
import { identities } from "./defects/identities.ts";
import { lifecycle } from "./defects/lifecycle.ts";
import { locks } from "./defects/locks.ts";
import { members } from "./defects/members.ts";
import { networks } from "./defects/networks.ts";
import { operations } from "./defects/operations.ts";
import { progress } from "./defects/progress.ts";
import { providers } from "./defects/providers.ts";
import { references } from "./defects/references.ts";
import { relations } from "./defects/relations.ts";
import { releases } from "./defects/releases.ts";
import { requests } from "./defects/requests.ts";
import { rollouts } from "./defects/rollouts.ts";
import { schedules } from "./defects/schedules.ts";
import { status } from "./defects/status.ts";
import { storage } from "./defects/storage.ts";
import { timers } from "./defects/timers.ts";
import { transfers } from "./defects/transfers.ts";
import { waits } from "./defects/waits.ts";
import { watches } from "./defects/watches.ts";
import { workloads } from "./defects/workloads.ts";
import { writers } from "./defects/writers.ts";
import type { Case } from "./lib.ts";

/** All operators with a known defect. */
export const cases: readonly Case[] = [
  ...children,
  ...external,
  ...status,
  ...errors,
  ...lifecycle,
  ...relations,
  ...workloads,
  ...clusters,
  ...providers,
  ...drift,
  ...members,
  ...watches,
  ...schedules,
  ...operations,
  ...networks,
  ...storage,
  ...requests,
  ...releases,
  ...progress,
  ...references,
  ...given,
  ...claims,
  ...grants,
  ...locks,
  ...rollouts,
  ...timers,
  ...transfers,
  ...writers,
  ...identities,
  ...waits,
];
