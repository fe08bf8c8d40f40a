import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Replay, ReplayFinding } from "../protocol/protocol.ts";
import { type ApiError, get } from "../state/api.ts";
import { useKey } from "../state/hooks.ts";
import { Notifications, useNotify } from "../ui/action.tsx";
import { Chip, Empty, ErrorNote, Loading } from "../ui/parts.tsx";
import { ThemeSwitch } from "../ui/theme-switch.tsx";
import { ReplayStory } from "./replay-story.tsx";

const isBracket = /^[[\]]$/;

/** The page of `scaffold dev --replay`: the findings of a simulation. */
export function ReplayPage(): JSX.Element {
  const [replay, setReplay] = useState<Replay>();
  const [error, setError] = useState<ApiError>();
  const [chosen, setChosen] = useState(() => chosenOf(location.hash));
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    get<Replay>("/api/replay").then(setReplay, setError);
    const update = () => setChosen(chosenOf(location.hash));
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  useKey("/", () => main.current?.querySelector<HTMLElement>("input[type=search]")?.focus());
  const findings = replay?.findings ?? [];
  const index = Math.min(chosen, Math.max(0, findings.length - 1));
  useKey(isBracket, ({ key }) => {
    const next = index + (key === "]" ? 1 : -1);
    if (findings[next]) location.hash = `#${next + 1}`;
  });
  const finding = findings[index];
  useEffect(() => {
    document.title = `${finding?.invariant ?? "Simulation"} · scaffold simulate`;
  }, [finding]);
  return (
    <Notifications>
      <button type="button" class="skip-link" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <div class={`shell ${findings.length > 1 ? "" : "shell-plain"}`}>
        <header class="header">
          <span class="brand">
            <img src="/icon.svg" alt="" width="24" height="24" />
            <span class="brand-name">Simulation</span>
          </span>
          <span class="engine replay-source">{replay?.source}</span>
          <span class="header-space" />
          {replay && <Summary replay={replay} />}
          <ThemeSwitch />
        </header>
        {findings.length > 1 && <FindingList findings={findings} index={index} />}
        <main ref={main} class="main" tabIndex={-1} aria-label="Finding">
          {!finding && <h1 class="sr-only">Simulation</h1>}
          {error && <ErrorNote error={error} />}
          {!replay && !error && <Loading />}
          {replay && !finding && (
            <Empty icon="check" title="No findings">
              <p>The invariants held in all {replay.schedules.toLocaleString("en")} schedules.</p>
            </Empty>
          )}
          {finding && (
            <>
              <FindingHead finding={finding} />
              <ReplayStory key={index} finding={finding} />
            </>
          )}
        </main>
      </div>
    </Notifications>
  );
}

function Summary({ replay: { schedules, seconds, findings } }: { replay: Replay }): JSX.Element {
  return (
    <span class="engine">
      {schedules.toLocaleString("en")} schedules in {seconds.toFixed(1)} s, {findings.length}{" "}
      {findings.length === 1 ? "finding" : "findings"}
    </span>
  );
}

function FindingList({ findings, index }: { findings: readonly ReplayFinding[]; index: number }): JSX.Element {
  return (
    <nav class="nav replay-nav" aria-label="Findings">
      <ul>
        {findings.map(({ invariant, seed, test }, at) => (
          <li key={at}>
            <a href={`#${at + 1}`} class="nav-link" aria-current={at === index ? "page" : undefined} title={test}>
              <span class="replay-name">{invariant}</span>
              <span class="replay-seed">{seed}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function FindingHead({ finding }: { finding: ReplayFinding }): JSX.Element {
  const { invariant, message, file, test, faults, seed, replay } = finding;
  const notify = useNotify();
  const command = replay ?? `npx scaffold simulate --seed ${seed}`;
  const copy = (): void => {
    navigator.clipboard.writeText(command).then(
      () => notify("good", "Copied"),
      () => notify("bad", "The browser doesn't allow to copy"),
    );
  };
  return (
    <header class="replay-head">
      <div class="replay-title">
        <Chip tone="bad">broken</Chip>
        <h1>{invariant}</h1>
      </div>
      <p class="replay-message">{message}</p>
      <div class="replay-facts">
        <span class="replay-test">
          {test} <code>{file}</code>
        </span>
        {faults.map((name) => (
          <Chip key={name} tone="warn">
            {name}
          </Chip>
        ))}
        <span class="replay-command">
          <code>{command}</code>
          <button type="button" class="button" onClick={copy}>
            Copy
          </button>
        </span>
      </div>
    </header>
  );
}

/** Reads the number of a finding in the address, such as `#2`. */
function chosenOf(hash: string): number {
  const number = Number(hash.replace(/^#/, ""));
  return Number.isInteger(number) && number >= 1 ? number - 1 : 0;
}
