import type {
  Admission,
  Controllers,
  Faults,
  Objects,
  Reconciles,
  Status,
  StreamMessage,
} from "../protocol/protocol.ts";
import { ApiError, get } from "./api.ts";
import { follow } from "./event-stream.ts";
import { frameBatch } from "./frame-batch.ts";
import { changesStatus, keptAdmissions, keptReconciles, type SessionStore, summaryOf } from "./session-store.ts";

const statusDelay = 150;

/** Keeps a store up to date: fetches the data of the session, then follows its messages. */
export function connect(store: SessionStore): void {
  let isStatusPending = false;
  const fetchStatus = async (): Promise<void> => {
    isStatusPending = false;
    await load(
      () => get<Status>("/api/status"),
      (status) => store.set({ status }),
    );
  };
  const fetchAll = async (): Promise<void> => {
    await Promise.all([
      fetchStatus(),
      load(
        () => get<Objects>("/api/objects"),
        ({ objects }) => store.setObjects(objects),
      ),
      load(
        () => get<Controllers>("/api/controllers"),
        (controllers) => store.set({ controllers }),
      ),
      load(
        () => get<Faults>("/api/faults"),
        ({ faults }) => store.set({ faults }),
      ),
      load(
        () => get<Reconciles>("/api/reconciles", { limit: String(keptReconciles) }),
        ({ reconciles }) => store.set({ reconciles: reconciles.map(summaryOf) }),
      ),
      load(
        () => get<Admission>("/api/admission", { limit: String(keptAdmissions) }),
        ({ requests }) => store.set({ admissions: requests }),
      ),
    ]);
  };
  const add = frameBatch<StreamMessage>((messages) => {
    store.apply(messages);
    if (messages.some(({ type }) => type === "reset")) void fetchAll();
    const needsStatus = messages.some((message) => message.type === "dev" && changesStatus(message.event));
    if (!needsStatus || isStatusPending) return;
    isStatusPending = true;
    setTimeout(() => void fetchStatus(), statusDelay);
  });
  void follow("/api/stream", {
    opened: () => store.set({ connection: "open" }),
    message: (data) => add(JSON.parse(data) as StreamMessage),
    lost(error) {
      const isRefused = error?.status === 401;
      if (store.state.connection !== "ended") store.set({ connection: isRefused ? "refused" : "lost" });
    },
  });
}

/** Fetches data. Without an answer, the old data stays: the connection's state explains why. */
async function load<T>(fetch: () => Promise<T>, use: (data: T) => void): Promise<void> {
  try {
    use(await fetch());
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
