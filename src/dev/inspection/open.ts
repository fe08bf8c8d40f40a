import type { Status } from "@kubewright/dashboard/protocol";
import { readWebhookNames } from "../client/manifests.ts";
import { SessionHistory } from "../history/session-history.ts";
import { groupOf } from "../kinds/named-kind.ts";
import { ManagerRequests } from "../manager/manager-requests.ts";
import type { RunningSession } from "../session/running-session.ts";
import { ObjectStore } from "../store/objects.ts";
import { type NamedObject, TargetResolver } from "../store/target-resolver.ts";
import { ClusterRevisions } from "./cluster-revisions.ts";
import { ObjectActions } from "./object-actions.ts";
import { ObjectReader } from "./object-reader.ts";
import { projectKinds } from "./project-kinds.ts";
import { reconcileNow } from "./reconcile-now.ts";
import { SessionFaults } from "./session-faults.ts";
import { watchKinds } from "./watched-kinds.ts";

/** The parts by which people see and change the cluster and the manager of a session. */
export interface Inspection {
  readonly actions: ObjectActions;
  readonly faults: SessionFaults;
  readonly objects: ObjectStore;
  readonly reader: ObjectReader;
  readonly requests: ManagerRequests;
  readonly revisions: ClusterRevisions;
  /** Returns the state of the session, except the URL of its server. */
  readonly status: () => Omit<Status, "url">;
  /** Reconciles an object now. */
  readonly reconcile: (named: NamedObject, controller?: string) => Promise<readonly string[]>;
  /** Writes what is left of the history. */
  readonly close: () => Promise<void>;
}

/**
 * Restores the history of the last session, and starts to watch the kinds of the project and of the manager.
 *
 * @param session - a session whose cluster runs
 * @returns what people can see and change
 */
export async function openInspection(session: RunningSession): Promise<Inspection> {
  const { client, cluster, events, options, podFaults, records, supervisor } = session;
  const { root, project } = options;
  const objects = new ObjectStore(client, session.signal, project.projectName);
  const requests = new ManagerRequests(supervisor);
  const targets = new TargetResolver(client, {
    live: (filter) => objects.live(filter),
    past: (filter) => [...objects.deleted(filter), ...records.objects(filter)],
    kinds: () => [...projectKinds(root), ...records.objects({})],
    isOwn: ({ group, kind }) =>
      projectKinds(root).some((own) => own.kind === kind && groupOf(own.apiVersion) === group),
  });
  const actions = new ObjectActions(client, targets);
  const history = new SessionHistory(session, objects);
  for (const { apiVersion, kind } of projectKinds(root)) objects.setOwn(apiVersion, kind);
  await history.restore();
  watchKinds({ root, client, events, objects, requests });
  return {
    actions,
    faults: new SessionFaults({ podFaults, requests, supervisor, targets }),
    objects,
    reader: new ObjectReader({ client, objects, records, targets }),
    requests,
    revisions: new ClusterRevisions({ cluster, events, objects, restart: session.restart }),
    status: () => statusOf(session),
    reconcile: (named, controller) => reconcileNow({ actions, requests, supervisor, targets }, named, controller),
    close: () => history.close(),
  };
}

function statusOf({ options, paths, cluster, errors, startedAt, supervisor, takenOver }: RunningSession) {
  const { root, engine, project } = options;
  return {
    project: project.projectName,
    root,
    engine,
    kubeconfig: paths.kubeconfig,
    pid: process.pid,
    startedAt,
    manager: supervisor.status,
    paused: supervisor.paused,
    errors: errors.all,
    kinds: projectKinds(root),
    takenOver: takenOver(),
    restorable: cluster.travel !== undefined,
    webhooks: readWebhookNames(root),
  };
}
