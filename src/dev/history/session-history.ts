import type { Engine } from "@kubewright/dashboard/protocol";
import type { KubeClient, KubeObject } from "../client/kube-client.ts";
import type { SessionPaths } from "../setup/files.ts";
import type { ObjectStore } from "../store/objects.ts";
import type { Records } from "../store/records.ts";
import type { SessionEvents } from "../store/session-events.ts";
import { HistoryFile } from "./history-file.ts";

/** The parts of a session that {@link SessionHistory} uses. */
export interface RecordedSession {
  readonly client: Pick<KubeClient, "request">;
  readonly paths: Pick<SessionPaths, "history">;
  readonly options: { readonly engine: Engine };
  readonly records: Records;
  readonly events: SessionEvents;
}

/** The reconciles, admission requests and changes of objects of a session, which the next session of the cluster continues. */
export class SessionHistory {
  readonly #session: RecordedSession;
  readonly #objects: ObjectStore;
  readonly #file: HistoryFile;

  constructor(session: RecordedSession, objects: ObjectStore) {
    this.#session = session;
    this.#objects = objects;
    this.#file = new HistoryFile({
      path: session.paths.history(session.options.engine),
      mask: (json) => objects.secrets.maskJson(json),
      note: (message) => session.events.note(message),
    });
  }

  /** Restores what the last session of the cluster recorded, and records from now on. */
  async restore(): Promise<void> {
    const { client, records } = this.#session;
    let cluster: string | undefined;
    try {
      const path = "/api/v1/namespaces/kube-system";
      cluster = ((await client.request({ method: "GET", path })) as KubeObject).metadata?.uid;
    } catch {
      // Without permission for the namespace, nothing identifies the cluster.
    }
    if (!cluster) return;
    const entries = await this.#file.open(cluster);
    this.#objects.restore(entries.flatMap((entry) => ("revision" in entry ? entry : [])));
    for (const entry of entries) {
      if ("reconcile" in entry) {
        records.addReconcile(entry.reconcile);
        this.#objects.addWritten(entry.reconcile);
      } else if ("admission" in entry) records.addAdmission(entry.admission);
    }
    this.#objects.onRevision((entry) => this.#file.add(entry));
    this.#session.events.on("message", (message) => {
      if (message.type === "reconcile") this.#file.add({ reconcile: message.reconcile });
      if (message.type === "admission") this.#file.add({ admission: message.admission });
    });
  }

  /** Writes what is left. */
  close(): Promise<void> {
    return this.#file.close();
  }
}
