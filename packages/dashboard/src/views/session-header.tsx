import type { JSX } from "preact";
import { post } from "../state/api.ts";
import { useSession } from "../state/hooks.ts";
import { useAction } from "../ui/action.tsx";
import { Icon } from "../ui/icons.tsx";
import { ThemeSwitch } from "../ui/theme-switch.tsx";

/** The project, the state of its manager, and what can be done with the session. */
export function SessionHeader({ onHelp }: { onHelp: () => void }): JSX.Element {
  const status = useSession((state) => state.status);
  const connection = useSession((state) => state.connection);
  const action = useAction();
  const state = connection === "open" ? managerState(status?.manager.state, status?.paused) : connections[connection];
  const paused = status?.paused ?? false;
  return (
    <header class="header">
      <a class="brand" href="#/objects">
        <img src="/icon.svg" alt="" width="24" height="24" />
        <span class="brand-name">{status?.project ?? "scaffold dev"}</span>
      </a>
      <span class={`session-state state-${state.tone}`} role="status">
        <span class="state-dot" aria-hidden="true" />
        {state.text}
      </span>
      {status && <span class="engine">{engines[status.engine]}</span>}
      <span class="header-space" />
      <button
        type="button"
        class="button"
        disabled={!status || action.isRunning}
        onClick={() =>
          void action.run(
            () => post("/api/pause", { paused: !paused }),
            paused ? "Reconciling continues" : "No reconcile starts until you continue",
          )
        }
      >
        <Icon name={paused ? "play" : "pause"} />
        <span class="button-label">{paused ? "Continue" : "Pause"}</span>
        <span class="sr-only"> reconciling</span>
      </button>
      <button type="button" class="button button-icon" popovertarget="session-menu" aria-label="Session">
        <Icon name="more" />
      </button>
      <div id="session-menu" class="menu" popover="auto">
        {menu.map(({ path, label, done }) => (
          <button
            key={path}
            type="button"
            class="menu-item"
            popovertarget="session-menu"
            popovertargetaction="hide"
            onClick={() => void action.run(() => post(path), done)}
          >
            {label}
          </button>
        ))}
      </div>
      <ThemeSwitch />
      <button
        type="button"
        class="button button-icon wide-only"
        aria-label="Keyboard help"
        title="Keyboard help (?)"
        onClick={onHelp}
      >
        <span aria-hidden="true">?</span>
      </button>
    </header>
  );
}

const menu = [
  { path: "/api/restart", label: "Restart the manager", done: "The manager restarts" },
  { path: "/api/generate", label: "Generate", done: "Types and manifests are generated" },
  { path: "/api/samples", label: "Apply the samples", done: "The samples are applied" },
] as const;

const engines = { embedded: "embedded API server", binaries: "kube-apiserver", cluster: "cluster" } as const;

const connections = {
  connecting: { tone: "warn", text: "connecting" },
  open: { tone: "good", text: "connected" },
  lost: { tone: "bad", text: "connection lost" },
  refused: { tone: "bad", text: "no access: run npx scaffold dev open" },
  ended: { tone: "bad", text: "session ended" },
} as const;

function managerState(state = "starting", paused = false): { tone: string; text: string } {
  if (state === "running") return paused ? { tone: "warn", text: "paused" } : { tone: "good", text: "running" };
  return { tone: state === "starting" ? "warn" : "bad", text: state };
}
