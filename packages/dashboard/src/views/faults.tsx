import type { JSX } from "preact";
import { useContext, useState } from "preact/hooks";
import { formatUntil } from "../model/time.ts";
import type { ActiveFault, Fault, Faults } from "../protocol/protocol.ts";
import { endFaults, post } from "../state/api.ts";
import { StoreContext, useNow, useSession } from "../state/hooks.ts";
import { useAction } from "../ui/action.tsx";
import { Chip } from "../ui/parts.tsx";

const seconds = 10;

interface FaultCard {
  readonly fault: Exclude<Fault, { fault: "pod-fails" }>;
  readonly title: string;
  readonly text: string;
  readonly button: string;
}

const cards: readonly FaultCard[] = [
  {
    fault: { fault: "conflict", count: 1 },
    title: "Conflict",
    text: "The next write of the manager fails with 409, as if somebody had changed the object in the meantime.",
    button: "Fail the next write",
  },
  {
    fault: { fault: "unavailable", seconds },
    title: "API server unavailable",
    text: `The manager can't reach the API server for ${seconds}\u00a0s. The dashboard and kubectl still can.`,
    button: `Cut off for ${seconds}\u00a0s`,
  },
  {
    fault: { fault: "watch-cut" },
    title: "Watches cut",
    text: "All watches of the manager end now. Its informers must list and watch again without losing an event.",
    button: "Cut all watches",
  },
  {
    fault: { fault: "webhook-down", seconds },
    title: "Webhook down",
    text: `The webhooks of the manager don't answer for ${seconds}\u00a0s. The failure policy decides what happens.`,
    button: `Stop webhooks for ${seconds}\u00a0s`,
  },
];

const names: Readonly<Record<Fault["fault"], string>> = {
  conflict: "Conflict",
  unavailable: "API server unavailable",
  "watch-cut": "Watches cut",
  "webhook-down": "Webhook down",
  "pod-fails": "Pod fails",
};

/** One button per fault, so that you can see the error paths of the operator. */
export function FaultsView(): JSX.Element {
  const store = useContext(StoreContext);
  const active = useSession((state) => state.faults);
  const objects = useSession((state) => state.objects);
  const action = useAction();
  const [chosen, setChosen] = useState("");
  const pods = [...(objects?.values() ?? [])].filter(({ kind, deleting }) => kind === "Pod" && !deleting).slice(0, 500);
  const pod = pods.find(({ uid }) => uid === chosen) ?? pods[0];
  const inject = (fault: Fault): void =>
    void action.run(
      async () => store.set({ faults: (await post<Faults>("/api/faults", fault)).faults }),
      `Injected: ${names[fault.fault]}`,
    );
  return (
    <div class="view">
      <header class="view-header">
        <h1>Faults</h1>
        <span class="header-space" />
        <button
          type="button"
          class="button"
          disabled={active.length === 0 || action.isRunning}
          onClick={() =>
            void action.run(
              async () => store.set({ faults: (await endFaults<Faults>()).faults }),
              "All faults have ended",
            )
          }
        >
          End all
        </button>
      </header>
      <p class="view-intro">
        See how the operator copes with errors. Faults affect only the manager, and end by themselves. A Pod fails until
        you end all faults.
      </p>
      <ul class="fault-cards">
        {cards.map(({ fault, title, text, button }) => (
          <li key={fault.fault} class="card fault-card">
            <h2>
              {title} <ActiveNote faults={active.filter((activeFault) => activeFault.fault === fault.fault)} />
            </h2>
            <p>{text}</p>
            <button type="button" class="button" disabled={action.isRunning} onClick={() => inject(fault)}>
              {button}
            </button>
          </li>
        ))}
        <li class="card fault-card">
          <h2>
            Pod fails{" "}
            {active
              .filter((activeFault) => activeFault.fault === "pod-fails")
              .map((activeFault) => (
                <Chip key={`${activeFault.namespace}/${activeFault.name}`} tone="bad">
                  {activeFault.namespace}/{activeFault.name}
                </Chip>
              ))}
          </h2>
          <p>A Pod of the project fails, as if its container had crashed.</p>
          {pod ? (
            <div class="fault-pod">
              <label>
                <span class="sr-only">Pod</span>
                <select value={pod.uid} onChange={(event) => setChosen(event.currentTarget.value)}>
                  {pods.map(({ uid, namespace, name }) => (
                    <option key={uid} value={uid}>
                      {namespace}/{name}
                    </option>
                  ))}
                </select>
              </label>
              <button
                type="button"
                class="button"
                disabled={action.isRunning}
                onClick={() => inject({ fault: "pod-fails", namespace: pod.namespace, name: pod.name })}
              >
                Fail the Pod
              </button>
            </div>
          ) : (
            <p class="note">No Pod belongs to the project's objects.</p>
          )}
        </li>
      </ul>
    </div>
  );
}

function ActiveNote({ faults }: { faults: readonly ActiveFault[] }): JSX.Element | null {
  const now = useNow(500);
  const fault = faults[0];
  if (!fault) return null;
  return (
    <Chip tone="bad">
      {fault.until
        ? `active, ends ${formatUntil(fault.until, now)}`
        : fault.left !== undefined
          ? `${fault.left} left`
          : "active"}
    </Chip>
  );
}
