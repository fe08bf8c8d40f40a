import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { bars, percentile } from "../model/plot.ts";
import { objectHref, refOf } from "../model/route.ts";
import { isSameKind } from "../model/same-object.ts";
import { formatDuration, formatUntil } from "../model/time.ts";
import type { ControllerStatus, ObjectRef } from "../protocol/protocol.ts";
import { post } from "../state/api.ts";
import { useNow, useSession } from "../state/hooks.ts";
import { useAction } from "../ui/action.tsx";
import { Icon } from "../ui/icons.tsx";
import { Chip, Clock, Empty, Loading } from "../ui/parts.tsx";

const plotWidth = 300;
const plotHeight = 56;
const shownKeys = 20;
const shownReconciles = 8;

/** The queues, speeds and errors of the manager's controllers. */
export function ControllersView(): JSX.Element {
  const controllers = useSession((state) => state.controllers);
  const managerState = useSession(({ status }) => status?.manager.state);
  return (
    <div class="view">
      <header class="view-header">
        <h1>Controllers</h1>
        {controllers?.paused && <Chip tone="warn">paused</Chip>}
      </header>
      {!controllers ? (
        managerState === undefined || managerState === "running" || managerState === "starting" ? (
          <Loading rows={6} />
        ) : (
          <Empty icon="controllers" title="The manager isn't running">
            <p>Fix the errors, or restart it.</p>
          </Empty>
        )
      ) : controllers.controllers.length === 0 ? (
        <Empty icon="controllers" title="No controllers">
          <p>
            Create one with <code>npx scaffold create api</code>.
          </p>
        </Empty>
      ) : (
        <div class="cards">
          {controllers.controllers.map((controller) => (
            <ControllerCard key={controller.name} controller={controller} />
          ))}
        </div>
      )}
    </div>
  );
}

function ControllerCard({ controller }: { controller: ControllerStatus }): JSX.Element {
  const { name, kind, depth, active, delayed, workers, total, errors, errorsByMessage, perSecond, durations } =
    controller;
  const rate = perSecond.slice(-10).reduce((sum, value) => sum + value, 0) / 10;
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-header">
        <h2 id={id}>{name}</h2>
        {kind && <span class="muted">reconciles {kind}</span>}
        <span class="header-space" />
        <ReconcileNow controller={controller} />
      </header>
      <dl class="numbers">
        <Figure label="Queue" value={depth} tone={depth > workers * 10 ? "warn" : ""} />
        <Figure
          label="In progress"
          value={active.length}
          note={`of ${workers} ${workers === 1 ? "worker" : "workers"}`}
        />
        <Figure
          label="Waiting"
          value={delayed.length}
          note={`${delayed.filter(({ attempts }) => attempts > 0).length} in back-off`}
        />
        <Figure label="Reconciles" value={total} />
        <Figure
          label="Errors"
          value={errors}
          tone={errors > 0 ? "bad" : ""}
          note={total > 0 ? `${((100 * errors) / total).toFixed(errors > 0 ? 1 : 0)} %` : ""}
        />
      </dl>
      <div class="plots">
        <Plot
          title="Reconciles per second"
          values={perSecond}
          slots={60}
          facts={`${rate.toFixed(rate < 10 ? 1 : 0)} now, ${Math.max(0, ...perSecond)} at most`}
          axis={["60 s ago", "now"]}
        />
        <Plot
          title="Duration"
          values={durations}
          slots={100}
          facts={
            durations.length === 0
              ? "no reconciles"
              : `p50 ${formatDuration(percentile(durations, 0.5))}, p95 ${formatDuration(percentile(durations, 0.95))}`
          }
          axis={["100 reconciles", "last"]}
        />
      </div>
      <Waiting controller={controller} />
      {errorsByMessage.length > 0 && (
        <section class="detail">
          <h3>Errors by kind</h3>
          <ul class="error-kinds">
            {errorsByMessage.map(({ message, count }) => (
              <li key={message}>
                <span class="error-bar" style={{ width: `${(100 * count) / (errorsByMessage[0]?.count ?? count)}%` }} />
                <span class="error-count">{count}</span>
                <span class="error-text">{message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Recent controller={name} />
    </section>
  );
}

function Figure({
  label,
  value,
  note = "",
  tone = "",
}: {
  label: string;
  value: number;
  note?: string;
  tone?: string;
}): JSX.Element {
  return (
    <div class={`figure figure-${tone}`}>
      <dt>{label}</dt>
      <dd>
        <span class="figure-value">{value.toLocaleString("en-US")}</span> <span class="figure-note">{note}</span>
      </dd>
    </div>
  );
}

function Plot({
  title,
  values,
  slots,
  facts,
  axis,
}: {
  title: string;
  values: readonly number[];
  slots: number;
  facts: string;
  axis: readonly [string, string];
}): JSX.Element {
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong> <span class="muted">{facts}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${plotWidth} ${plotHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${facts}`}
      >
        <path d={`M0 ${plotHeight - 0.5}H${plotWidth}`} class="plot-axis" />
        {bars(values, slots, plotWidth, plotHeight - 2).map(({ x, y, width, height }, index) => (
          <rect key={index} x={x} y={y} width={width} height={height} class="plot-bar" />
        ))}
      </svg>
      <p class="plot-times" aria-hidden="true">
        <span>{axis[0]}</span>
        <span>{axis[1]}</span>
      </p>
    </figure>
  );
}

/** Returns the object of a key `NAMESPACE/NAME`. */
function objectOf({ apiVersion, kind }: ControllerStatus, key: string): ObjectRef {
  const at = key.indexOf("/");
  const named = at < 0 ? { name: key } : { namespace: key.slice(0, at), name: key.slice(at + 1) };
  return { ...(apiVersion ? { apiVersion } : {}), kind, ...named };
}

function Waiting({ controller }: { controller: ControllerStatus }): JSX.Element | null {
  const { name, active, delayed } = controller;
  const now = useNow(500);
  const action = useAction();
  if (active.length === 0 && delayed.length === 0) return null;
  const sorted = [...delayed].sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <section class="detail">
      <h3>In progress and waiting</h3>
      <ul class="queue">
        {active.slice(0, shownKeys).map((key) => (
          <li key={`active-${key}`}>
            <a href={objectHref(objectOf(controller, key))}>{key}</a>
            <Chip tone="accent">in progress</Chip>
          </li>
        ))}
        {sorted.slice(0, shownKeys).map(({ key, at, attempts }) => (
          <li key={key}>
            <a href={objectHref(objectOf(controller, key))}>{key}</a>
            {attempts > 0 && <Chip tone="bad">{attempts === 1 ? "1 failure" : `${attempts} failures`}</Chip>}
            <span class="muted queue-next">next {formatUntil(at, now)}</span>
            <button
              type="button"
              class="button"
              disabled={action.isRunning}
              onClick={() =>
                void action.run(
                  () => post("/api/reconcile", { ...objectOf(controller, key), controller: name }),
                  `${key} is enqueued`,
                )
              }
            >
              Reconcile now
              <span class="sr-only">: {key}</span>
            </button>
          </li>
        ))}
      </ul>
      {delayed.length > shownKeys && <p class="note">and {delayed.length - shownKeys} more</p>}
    </section>
  );
}

/** Reconciles one object of the controller's kind. */
function ReconcileNow({ controller }: { controller: ControllerStatus }): JSX.Element | null {
  const { name, kind } = controller;
  const objects = useSession((state) => state.objects);
  const action = useAction();
  const [chosen, setChosen] = useState("");
  const choices = [...(objects?.values() ?? [])].filter((object) => isSameKind(object, controller)).slice(0, 500);
  const object = choices.find(({ uid }) => uid === chosen) ?? choices[0];
  if (!object) return null;
  return (
    <span class="reconcile-now">
      <label>
        <span class="sr-only">{kind} to reconcile</span>
        <select value={object.uid} onChange={(event) => setChosen(event.currentTarget.value)}>
          {choices.map(({ uid, namespace, name }) => (
            <option key={uid} value={uid}>
              {namespace ? `${namespace}/` : ""}
              {name}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="button"
        disabled={action.isRunning}
        onClick={() =>
          void action.run(
            () => post("/api/reconcile", { ...refOf(object), controller: name }),
            `${object.kind} ${object.name} is enqueued`,
          )
        }
      >
        <Icon name="controllers" />
        Reconcile now
      </button>
    </span>
  );
}

function Recent({ controller }: { controller: string }): JSX.Element | null {
  const all = useSession((state) => state.reconciles);
  const recent = all.filter((reconcileSummary) => reconcileSummary.controller === controller).slice(0, shownReconciles);
  if (recent.length === 0) return null;
  return (
    <section class="detail">
      <h3>Latest reconciles</h3>
      <ol class="recent">
        {recent.map(({ id, object, time, reasons, outcome, durationMs, error }) => (
          <li key={id} class={error ? "is-failed" : ""}>
            <Clock time={time} />
            <a href={objectHref(object, { entry: `reconcile-${id}` })}>
              {object.namespace && `${object.namespace}/`}
              {object.name}
            </a>
            <span class="muted recent-reasons">{[...new Set(reasons)].join(", ")}</span>
            <span class="recent-outcome">{error ? <span class="bad-text">{error}</span> : outcome}</span>
            <span class="muted">{formatDuration(durationMs)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
