import type { JSX, TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { isBadCondition } from "../model/conditions.ts";
import { parseDiff } from "../model/diff.ts";
import { rootOf } from "../model/object-tree.ts";
import { objectHref, type Route, refOf, type TabName } from "../model/route.ts";
import { isSameObject } from "../model/same-object.ts";
import type { ObjectDetail, ObjectRef, ObjectSummary } from "../protocol/protocol.ts";
import { post } from "../state/api.ts";
import { useFetched, useMessages, useSession } from "../state/hooks.ts";
import { useAction } from "../ui/action.tsx";
import { ConfirmDialog, Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import {
  Age,
  Chip,
  DiffCount,
  DiffView,
  Disclosure,
  Empty,
  ErrorNote,
  KindMark,
  Loading,
  Mark,
  ReadyMark,
} from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { OwnerPicture } from "./owner-picture.tsx";
import { TimelineTab } from "./timeline.tsx";
import { YamlTab } from "./yaml-tab.tsx";

/** Everything about one object. */
export function ObjectPanel({
  object,
  route,
  onClose,
}: {
  object: ObjectRef;
  route: Route;
  onClose: () => void;
}): JSX.Element {
  const { data, error, refresh } = useFetched<ObjectDetail>("/api/object", {
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: object.namespace,
    name: object.name,
  });
  const objects = useSession((state) => state.objects);
  const uid = data?.summary.uid;
  const live = uid === undefined ? undefined : objects?.get(uid);
  const summary = live ?? data?.summary;
  const isGone = data !== undefined && objects !== undefined && live === undefined;
  useMessages((messages) => {
    for (const message of messages) {
      if (message.type !== "objects") continue;
      const isMeant = (changed: ObjectSummary) => isSameObject(changed, object);
      if (message.changed.some(isMeant) || (uid !== undefined && message.deleted.includes(uid))) return refresh();
    }
  });
  const panelId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // On narrow screens, the panel covers the list.
  useEffect(() => {
    if (matchMedia("(max-width: 899px)").matches) heading.current?.focus();
  }, []);
  const select = (tab: TabName): void => {
    location.replace(objectHref(object, { tab }));
  };
  return (
    <section class="panel" aria-labelledby={`${panelId}-title`} onKeyDown={(event) => closeOnEscape(event, onClose)}>
      <header class="panel-header">
        <div class="panel-title">
          <button
            type="button"
            class="button button-icon narrow-only"
            aria-label="Back to the objects"
            onClick={onClose}
          >
            <Icon name="back" />
          </button>
          <KindMark kind={object.kind} own={summary?.own ?? false} />
          <div class="panel-name">
            <h1 id={`${panelId}-title`} ref={heading} tabIndex={-1}>
              {object.name}
            </h1>
            <p>
              {object.kind}
              {object.namespace && ` · ${object.namespace}`}
              {summary && (
                <>
                  {" · "}
                  <Age time={summary.creationTimestamp} /> old
                </>
              )}
            </p>
          </div>
          <button
            type="button"
            class="button button-icon wide-only"
            aria-label="Close"
            title="Close (Esc)"
            onClick={onClose}
          >
            <Icon name="cross" />
          </button>
        </div>
        {summary && <Facts object={summary} isGone={isGone} />}
        {summary && !isGone && <Actions object={summary} onEdit={() => select("yaml")} />}
        {summary && summary.conditions.length > 0 && <Conditions object={summary} />}
      </header>
      {error && !data ? (
        <ErrorNote error={error} />
      ) : (
        <>
          <Tabs<TabName>
            label="Parts of the object"
            panelId={panelId}
            selected={route.tab}
            onSelect={select}
            tabs={[
              { name: "timeline", label: "Timeline" },
              { name: "tree", label: "Tree" },
              { name: "yaml", label: "YAML" },
              { name: "events", label: "Events", count: data?.events.length },
              { name: "revisions", label: "Revisions", count: data?.revisions.length },
            ]}
          />
          <div
            id={panelId}
            role="tabpanel"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
            tabIndex={0}
            class="panel-content"
            aria-labelledby={`${panelId}-${route.tab}`}
          >
            {route.tab === "timeline" && <TimelineTab object={object} entry={route.entry} />}
            {route.tab === "tree" && (summary && objects ? <TreeTab object={summary} /> : <Loading />)}
            {route.tab === "yaml" &&
              (data ? <YamlTab detail={data} isGone={isGone} onChanged={refresh} /> : <Loading rows={14} />)}
            {route.tab === "events" && (data ? <EventsTab detail={data} /> : <Loading />)}
            {route.tab === "revisions" && (data ? <RevisionsTab detail={data} /> : <Loading />)}
          </div>
        </>
      )}
    </section>
  );
}

function closeOnEscape(event: TargetedKeyboardEvent<HTMLElement>, close: () => void): void {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  if ((event.target as HTMLElement).closest("input, textarea, dialog")) return;
  event.preventDefault();
  close();
}

function Facts({ object, isGone }: { object: ObjectSummary; isGone: boolean }): JSX.Element {
  const { ready, generation, observedGeneration, replicas, deleting, written, own, status, statusMessage } = object;
  const isBehind = generation !== null && observedGeneration !== null && observedGeneration < generation;
  return (
    <div class="panel-facts">
      {isGone ? (
        <Chip tone="bad">Deleted</Chip>
      ) : ready === null && !deleting ? null : (
        <span class="panel-ready">
          <ReadyMark object={object} />
          {deleting ? "Being deleted" : ready ? "Ready" : "Not ready"}
        </span>
      )}
      {status !== null && !isGone && (
        <Chip tone={status === "Failed" || status === "Unknown" ? "bad" : "plain"} title={statusMessage}>
          {statusMessage === "" ? status : `${status}: ${statusMessage}`}
        </Chip>
      )}
      {generation !== null && (
        <Chip tone={isBehind ? "warn" : "plain"} title="metadata.generation against status.observedGeneration">
          generation {generation}
          {observedGeneration !== null && (isBehind ? `, observed ${observedGeneration}` : ", observed")}
        </Chip>
      )}
      {replicas !== undefined && <Chip>{replicas === 1 ? "1 replica" : `${replicas} replicas`}</Chip>}
      {written && !own && <Chip>written by this operator</Chip>}
    </div>
  );
}

function Conditions({ object }: { object: ObjectSummary }): JSX.Element {
  return (
    <ul class="conditions" aria-label="Conditions">
      {object.conditions.map(({ type, status, reason, message, lastTransitionTime }) => {
        const isBad = isBadCondition(type, status);
        return (
          <li key={type}>
            {isBad ? (
              <Mark tone="bad" icon="alert" label="Problem" />
            ) : status === "Unknown" ? (
              <Mark tone="muted" icon="dash" label="Unknown" />
            ) : (
              <Mark tone="good" icon="check" label="As expected" />
            )}
            <span class="condition-text">
              <strong>{type}</strong> {status}
              {reason && <span class="condition-reason"> · {reason}</span>}
              {message && <span class="condition-message"> {message}</span>}
            </span>
            <Age time={lastTransitionTime} />
          </li>
        );
      })}
    </ul>
  );
}

function Actions({ object, onEdit }: { object: ObjectSummary; onEdit: () => void }): JSX.Element {
  const { kind, name, replicas } = object;
  const action = useAction();
  const [dialog, setDialog] = useState<"delete" | "scale">();
  const ref = refOf(object);
  return (
    <div class="actions">
      <button
        type="button"
        class="button button-primary"
        disabled={action.isRunning}
        onClick={() => void action.run(() => post("/api/reconcile", ref), `${kind} ${name} is enqueued`)}
      >
        <Icon name="controllers" />
        Reconcile now
      </button>
      {replicas !== undefined && (
        <button type="button" class="button" onClick={() => setDialog("scale")}>
          <Icon name="scale" />
          Scale
        </button>
      )}
      <button type="button" class="button" onClick={onEdit}>
        <Icon name="edit" />
        Edit
      </button>
      <button type="button" class="button button-danger" onClick={() => setDialog("delete")}>
        <Icon name="trash" />
        Delete
      </button>
      {dialog === "delete" && (
        <ConfirmDialog
          title={`Delete ${kind} ${name}?`}
          confirm="Delete"
          isRunning={action.isRunning}
          onConfirm={() =>
            void action
              .run(() => post("/api/delete", ref), `${kind} ${name} is deleted`)
              .then(() => setDialog(undefined))
          }
          onClose={() => setDialog(undefined)}
        >
          <p>
            {object.children.length > 0
              ? `The objects that it owns (${object.children.length}) are deleted in the background.`
              : "It owns no other object."}
          </p>
        </ConfirmDialog>
      )}
      {dialog === "scale" && (
        <ScaleDialog object={object} replicas={replicas ?? 0} onClose={() => setDialog(undefined)} />
      )}
    </div>
  );
}

function ScaleDialog({
  object,
  replicas,
  onClose,
}: {
  object: ObjectSummary;
  replicas: number;
  onClose: () => void;
}): JSX.Element {
  const action = useAction();
  const [value, setValue] = useState(String(replicas));
  const wanted = Number(value);
  const isValid = value.trim() !== "" && Number.isInteger(wanted) && wanted >= 0;
  return (
    <Dialog title={`Scale ${object.kind} ${object.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isValid) return;
          void action
            .run(
              () => post("/api/scale", { ...refOf(object), replicas: wanted }),
              `${object.kind} ${object.name} is scaled to ${wanted}`,
            )
            .then((done) => {
              if (done) onClose();
            });
        }}
      >
        <label class="field">
          Replicas
          <input
            type="number"
            min="0"
            step="1"
            value={value}
            aria-invalid={!isValid}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
        <footer class="dialog-footer">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-primary" disabled={!isValid || action.isRunning}>
            Scale
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function TreeTab({ object }: { object: ObjectSummary }): JSX.Element {
  const objects = useSession((state) => state.objects) ?? new Map<string, ObjectSummary>();
  const root = useMemo(() => rootOf(object, objects), [object, objects]);
  return <OwnerPicture root={root} selected={object.uid} objects={objects} />;
}

function EventsTab({ detail: { events } }: { detail: ObjectDetail }): JSX.Element {
  if (events.length === 0) {
    return (
      <Empty icon="alert" title="No events">
        <p>An operator records events with its event recorder.</p>
      </Empty>
    );
  }
  return (
    <ul class="rows">
      {events.map((event, index) => (
        <li key={index} class="event">
          {event.type === "Warning" ? (
            <Mark tone="bad" icon="alert" label="Warning" />
          ) : (
            <Mark tone="muted" icon="dash" label="Normal" />
          )}
          <div class="event-text">
            <p>
              <strong>{event.reason}</strong> <span class="muted">{event.source}</span>
              {event.count > 1 && <Chip>{event.count} times</Chip>}
            </p>
            <p>{event.message}</p>
          </div>
          <Age time={event.lastTime} />
        </li>
      ))}
    </ul>
  );
}

function RevisionsTab({ detail: { revisions } }: { detail: ObjectDetail }): JSX.Element {
  if (revisions.length === 0) return <Empty icon="travel" title="No changes in this session" />;
  return (
    <ol class="rows">
      {revisions.map(({ resourceVersion, type, by, changed, diff, time }, index) => {
        const { added, removed } = parseDiff(diff);
        return (
          <li key={`${resourceVersion}-${type}`} class="revision">
            <Disclosure
              open={index === 0}
              summary={
                <span class="revision-summary">
                  <span class="revision-number">{resourceVersion}</span>
                  <span class="revision-what">
                    {type === "modified" ? changed.slice(0, 4).map((path) => <code key={path}>{path}</code>) : type}
                    {changed.length > 4 && ` +${changed.length - 4}`}
                    {by && <span class="muted"> by {by}</span>}
                  </span>
                  <DiffCount added={added} removed={removed} />
                  <Age time={time} />
                </span>
              }
            >
              {() => <DiffView diff={diff} label={`Changes of revision ${resourceVersion}`} />}
            </Disclosure>
          </li>
        );
      })}
    </ol>
  );
}
