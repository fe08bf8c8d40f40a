import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { parseDiff } from "../model/diff.ts";
import { isFailedCall, outcomeOf, reasonParts, relationOf, writeSummary } from "../model/explain.ts";
import { refOf } from "../model/route.ts";
import { formatDuration } from "../model/time.ts";
import { isFailed, relatedIds } from "../model/timeline.ts";
import {
  type AdmissionRecord,
  callResult,
  isBadChild,
  type ObjectEvent,
  type ObjectRevision,
  type ReconcileRecord,
  type Step,
  stepsOf,
  type TimelineEntry,
} from "../protocol/protocol.ts";
import { Icon } from "../ui/icons.tsx";
import { memo } from "../ui/memo.ts";
import { Chip, Clock, CodeView, DiffCount, DiffView, Disclosure, ObjectLink, Sentence } from "../ui/parts.tsx";
import { ReconcileFlow } from "./reconcile-flow.tsx";

interface EntryProps {
  readonly id: string;
  readonly entry: TimelineEntry;
  /** All entries, to find what is related. */
  readonly entries: readonly TimelineEntry[];
  readonly isTarget: boolean;
  readonly onJump: (id: string) => void;
}

/** An entry of a timeline: at a glance, and with its details. Many new entries must not render the old ones again. */
export const EntryItem = memo(
  (props: EntryProps) => <EntryContent {...props} />,
  (before: EntryProps, after: EntryProps) =>
    before.id === after.id && before.isTarget === after.isTarget && before.entry === after.entry,
);

function EntryContent({ id, entry, entries, isTarget, onJump }: EntryProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const failed = isFailed(entry);
  return (
    <li data-entry={id} class={`entry entry-${entry.type} ${failed ? "is-failed" : ""} ${isTarget ? "is-target" : ""}`}>
      <span class="entry-rail" aria-hidden="true">
        <span class="entry-knot" />
      </span>
      <div class="entry-body">
        <button type="button" class="entry-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="chevron" class={isOpen ? "turned" : ""} />
          <Headline entry={entry} />
          <Clock time={entry.time} />
        </button>
        {entry.type === "reconcile" && <ReconcileFlow record={entry.reconcile} />}
        {isOpen && (
          <div class="entry-details">
            {entry.type === "reconcile" && (
              <ReconcileDetails record={entry.reconcile} entries={entries} onJump={onJump} />
            )}
            {entry.type === "change" && <ChangeDetails change={entry.change} />}
            {entry.type === "event" && <EventDetails event={entry.event} />}
            {entry.type === "admission" && <AdmissionDetails record={entry.admission} />}
          </div>
        )}
      </div>
    </li>
  );
}

function Headline({ entry }: { entry: TimelineEntry }): JSX.Element {
  switch (entry.type) {
    case "reconcile": {
      const { controller, durationMs } = entry.reconcile;
      const { state, text } = outcomeOf(entry.reconcile);
      return (
        <span class="entry-title">
          <strong>Reconcile</strong> by {controller}
          <span class={`outcome outcome-${state}`}>{text}</span>
          <span class="muted">{formatDuration(durationMs)}</span>
        </span>
      );
    }
    case "change": {
      const { type, by, changed, diff } = entry.change;
      const { added, removed } = parseDiff(diff);
      return (
        <span class="entry-title">
          <strong>{{ added: "Created", modified: "Changed", deleted: "Deleted" }[type]}</strong>
          {changed.slice(0, 3).map((path) => (
            <code key={path}>{path || "(all)"}</code>
          ))}
          {changed.length > 3 && <span class="muted">and {changed.length - 3} more</span>}
          {by && <span class="muted">by {by}</span>}
          {type === "modified" && <DiffCount added={added} removed={removed} />}
        </span>
      );
    }
    case "event": {
      const { type, reason, message, count } = entry.event;
      return (
        <span class="entry-title">
          <strong>{type === "Warning" ? "Warning" : "Event"}</strong> {reason}
          <span class="muted entry-message">{message}</span>
          {count > 1 && <Chip>{count} times</Chip>}
        </span>
      );
    }
    case "admission": {
      const { operation, type, path, allowed, durationMs } = entry.admission;
      return (
        <span class="entry-title">
          <strong>Admission</strong> {operation.toLowerCase()}, {type}
          <span class={`outcome outcome-${allowed ? "changed" : "failed"}`}>{allowed ? "allowed" : "denied"}</span>
          <code>{path}</code>
          <span class="muted">{formatDuration(durationMs)}</span>
        </span>
      );
    }
  }
}

function ReconcileDetails({
  record,
  entries,
  onJump,
}: {
  record: ReconcileRecord;
  entries: readonly TimelineEntry[];
  onJump: (id: string) => void;
}): JSX.Element {
  const { reasons, children = [], error, id, dropped, pid } = record;
  const steps = stepsOf(record);
  const { causes, effects } = relatedIds(record, entries);
  return (
    <>
      {(causes.length > 0 || effects.length > 0) && (
        <div class="related">
          {causes[0] && (
            <button type="button" class="button" onClick={() => onJump(causes[0] ?? "")}>
              Jump to the cause
            </button>
          )}
          {effects[0] && (
            <button type="button" class="button" onClick={() => onJump(effects.at(-1) ?? "")}>
              Jump to what followed
            </button>
          )}
        </div>
      )}
      <Detail title="Reasons" count={reasons.length}>
        <ul class="plain-list">
          {reasons.map((reason, index) => (
            <li key={index}>
              <Chip>{reason.type}</Chip> <Sentence parts={reasonParts(reason)} />
              {relationOf(reason) && <span class="muted"> · {relationOf(reason)}</span>}
              {reason.resourceVersion && <span class="muted"> · revision {reason.resourceVersion}</span>}
            </li>
          ))}
        </ul>
      </Detail>
      <Detail title="Steps" count={steps.length}>
        <ol class="steps">
          {steps.map((step, index) => (
            <li key={index} class={`step step-${step.type}`}>
              <StepContent step={step} />
            </li>
          ))}
        </ol>
      </Detail>
      {children.length > 0 && (
        <Detail title="Children" count={children.length}>
          <ul class="plain-list">
            {children.map(({ child, kind, namespace, name, action, ready, message }, index) => (
              <li key={index}>
                <Chip>{action}</Chip> {child} <ObjectLink object={refOf({ kind, namespace, name })} />
                {!ready && action !== "pruned" && <span class="muted"> · not ready</span>}
                {message && <span class={isBadChild(action) ? "bad-text" : "muted"}> · {message}</span>}
              </li>
            ))}
          </ul>
        </Detail>
      )}
      {error && (
        <Detail title="Error" count={1}>
          <p class="bad-text error-full">{error.message}</p>
          {error.file && (
            <p>
              at{" "}
              <code class="position">
                {error.file}:{error.line}
                {error.column ? `:${error.column}` : ""}
              </code>
            </p>
          )}
          {error.stack && (
            <Disclosure summary="Stack">
              {() => <CodeView text={error.stack ?? ""} label="Stack of the error" />}
            </Disclosure>
          )}
        </Detail>
      )}
      <p class="note">
        Reconcile {id}
        {pid !== undefined && `, process ${pid}`}
        {dropped ? `. ${dropped} more steps weren't kept.` : ""}
      </p>
    </>
  );
}

/** A read, write, call or log line. */
function StepContent({ step }: { step: Step }): JSX.Element {
  switch (step.type) {
    case "read": {
      const { read } = step;
      return (
        <p>
          <span class="verb">{read.verb}</span>{" "}
          {read.name ? (
            <ObjectLink object={refOf({ ...read, name: read.name })} />
          ) : (
            <>
              {read.kind}
              {read.namespace && ` in ${read.namespace}`}
            </>
          )}
          {read.count !== undefined && <span class="muted"> · {read.count} objects</span>}
          <span class="muted">
            {" "}
            · from the {read.from}
            {read.resourceVersion && `, revision ${read.resourceVersion}`}
          </span>
          {read.error && <span class="bad-text"> · {read.error}</span>}
        </p>
      );
    }
    case "call": {
      const { method, url, durationMs } = step.call;
      return (
        <p>
          <span class="verb">call</span> {method} <code class="call-url">{url}</code>
          <span class={isFailedCall(step.call) ? "bad-text" : "muted"}> · {callResult(step.call)}</span>
          <span class="muted"> · {formatDuration(durationMs)}</span>
        </p>
      );
    }
    case "write": {
      const { write } = step;
      const { verb, object, added, removed } = writeSummary(write);
      return (
        <div class="write">
          <p>
            <span class="verb">{verb}</span> {object.name ? <ObjectLink object={object} /> : object.kind}{" "}
            <DiffCount added={added} removed={removed} />
            {write.durationMs !== undefined && <span class="muted"> · {formatDuration(write.durationMs)}</span>}
            {write.error && <span class="bad-text"> · {write.error}</span>}
          </p>
          {write.diff !== "" && <DiffView diff={write.diff} label={`Changes of ${object.kind} ${object.name}`} />}
          {write.diff === "" && !write.error && <p class="note">The write changed nothing.</p>}
        </div>
      );
    }
    case "log": {
      const { level, message, fields } = step.log;
      return (
        <p class={`log-line log-${level}`}>
          <span class="log-level">{level}</span>
          <span class="log-message">
            {message}
            {fields && Object.keys(fields).length > 0 && <span class="muted"> {JSON.stringify(fields)}</span>}
          </span>
        </p>
      );
    }
  }
}

function Detail({
  title,
  count,
  children,
}: {
  title: string;
  count: number;
  children: ComponentChildren;
}): JSX.Element | null {
  if (count === 0) return null;
  return (
    <section class="detail">
      <h2>
        {title} <span class="muted">{count}</span>
      </h2>
      {children}
    </section>
  );
}

function ChangeDetails({ change }: { change: ObjectRevision }): JSX.Element {
  return <DiffView diff={change.diff} label={`Changes of revision ${change.resourceVersion}`} />;
}

function EventDetails({ event }: { event: ObjectEvent }): JSX.Element {
  return (
    <>
      <p>{event.message}</p>
      <p class="note">
        {event.source && `From ${event.source}. `}
        {event.count > 1 ? `${event.count} times since ${new Date(event.firstTime).toLocaleTimeString()}.` : ""}
      </p>
    </>
  );
}

/** The input, the patch and the verdict of a request to a webhook. */
export function AdmissionDetails({ record }: { record: AdmissionRecord }): JSX.Element {
  const { message, warnings, patch, input, user, dryRun } = record;
  return (
    <>
      {message && <p class={record.allowed ? "" : "bad-text"}>{message}</p>}
      {warnings.map((warning, index) => (
        <p key={index}>
          <Chip tone="warn">warning</Chip> {warning}
        </p>
      ))}
      <p class="note">
        Requested by {user}
        {dryRun && ", as a dry run"}
      </p>
      <section class="detail">
        <h2>Patch</h2>
        {patch === "" ? <p class="note">No patch.</p> : <DiffView diff={patch} label="Patch of the webhook" />}
      </section>
      <Disclosure summary="Input">{() => <CodeView text={input} label="Input of the webhook" />}</Disclosure>
    </>
  );
}
