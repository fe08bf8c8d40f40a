import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isSameObject } from "../model/same-object.ts";
import { type EntryType, entryId, entryTypes, filterEntries, isFailed, mergeEntries } from "../model/timeline.ts";
import type { ObjectRef, Timeline, TimelineEntry } from "../protocol/protocol.ts";
import { useFetched, useKey, useMessages } from "../state/hooks.ts";
import { moveBetweenEntries } from "../ui/entry-keys.ts";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorNote, Loading } from "../ui/parts.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { EntryItem } from "./timeline-entry.tsx";
import { TimelineStrip } from "./timeline-strip.tsx";

const pageSize = 50;
const fetchedLimit = 200;

const typeLabels: Readonly<Record<EntryType, string>> = {
  change: "Changes",
  reconcile: "Reconciles",
  event: "Events",
  admission: "Admission",
};

/** Lists the changes, reconciles, events and admissions of an object, the latest first. */
export function TimelineTab({ object, entry }: { object: ObjectRef; entry: string | undefined }): JSX.Element {
  const { data, error, refresh } = useFetched<Timeline>("/api/timeline", {
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: object.namespace ?? "",
    name: object.name,
    limit: String(fetchedLimit),
  });
  const [live, setLive] = useState<readonly TimelineEntry[]>([]);
  const [frozen, setFrozen] = useState<readonly TimelineEntry[]>();
  const [text, setText] = useState("");
  const [hidden, setHidden] = useState<ReadonlySet<EntryType>>(new Set());
  const [failedOnly, setFailedOnly] = useState(false);
  const [shown, setShown] = useState(pageSize);
  const [target, setTarget] = useState("");
  const list = useRef<HTMLOListElement>(null);
  const isMeant = (ref: ObjectRef) => isSameObject(ref, object);

  useMessages((messages) => {
    const added: TimelineEntry[] = [];
    let isStale = false;
    for (const message of messages) {
      if (message.type === "reconcile" && isMeant(message.reconcile.object)) {
        added.push({ type: "reconcile", time: message.reconcile.time, reconcile: message.reconcile });
      } else if (message.type === "admission" && isMeant(message.admission.object)) {
        added.push({ type: "admission", time: message.admission.time, admission: message.admission });
      } else if (message.type === "objects" && message.changed.some(isMeant)) isStale = true;
    }
    if (added.length > 0) setLive((old) => [...added.reverse(), ...old].slice(0, fetchedLimit));
    // Changes and events are only in the response, which a paused view doesn't show.
    if ((isStale || added.length > 0) && !frozen) refresh();
  });

  const current = useMemo(() => mergeEntries(data?.entries ?? [], live, fetchedLimit), [data, live]);
  const entries = frozen ?? current;
  const filtered = useMemo(
    () => filterEntries(entries, { text, hidden, failedOnly }),
    [entries, text, hidden, failedOnly],
  );
  const missed = frozen
    ? current.filter((timelineEntry) => !frozen.some((old) => entryId(old) === entryId(timelineEntry))).length
    : 0;

  const jump = (id: string): void => {
    const index = filtered.findIndex((timelineEntry) => entryId(timelineEntry) === id);
    if (index >= shown) setShown(index + pageSize);
    setTarget(id);
  };
  // An id that the address contains, such as that of a reconcile in the view of controllers.
  useEffect(() => {
    if (entry && data) jump(entry);
  }, [entry, data !== undefined]);
  useEffect(() => {
    if (target === "") return;
    const element = list.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(target)}"]`);
    if (!element) return;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.scrollIntoView({ block: "center", behavior: isCalm ? "auto" : "smooth" });
    element.querySelector<HTMLElement>(".entry-head")?.focus({ preventScroll: true });
    const timer = setTimeout(() => setTarget(""), 1500);
    return () => clearTimeout(timer);
  }, [target, shown]);

  const pause = (): void => setFrozen(frozen ? undefined : current);
  const nextFailure = (): void => {
    const focused = document.activeElement?.closest<HTMLElement>("[data-entry]")?.dataset.entry;
    const from = filtered.findIndex((timelineEntry) => entryId(timelineEntry) === focused);
    const next = [...filtered.slice(from + 1), ...filtered.slice(0, from + 1)].find(isFailed);
    if (next) jump(entryId(next));
  };
  useKey("p", pause);
  useKey("e", nextFailure);

  if (error && !data) return <ErrorNote error={error} />;
  if (!data) return <Loading rows={8} />;
  const failures = entries.filter(isFailed).length;
  const types = entryTypes.filter((type) => type !== "admission" || entries.some((entry) => entry.type === type));
  return (
    <div class="timeline">
      <TimelineStrip entries={filtered} selected={target} onSelect={jump} />
      <div class="filters timeline-filters">
        <SearchField
          label="Filter the timeline"
          value={text}
          onInput={setText}
          onEnter={() => list.current?.querySelector<HTMLElement>(".entry-head")?.focus()}
        />
        <fieldset class="toggles" aria-label="Types of entries">
          {types.map((type) => (
            <button
              key={type}
              type="button"
              class={`toggle toggle-${type}`}
              aria-pressed={!hidden.has(type)}
              onClick={() =>
                setHidden((old) => {
                  const now = new Set(old);
                  if (!now.delete(type)) now.add(type);
                  return now;
                })
              }
            >
              <span class="toggle-dot" aria-hidden="true" />
              {typeLabels[type]}
            </button>
          ))}
          <button type="button" class="toggle" aria-pressed={failedOnly} onClick={() => setFailedOnly(!failedOnly)}>
            Failures {failures > 0 && <span class="toggle-count">{failures}</span>}
          </button>
        </fieldset>
        <div class="toggles">
          <button
            type="button"
            class="button"
            aria-pressed={frozen !== undefined}
            onClick={pause}
            title="Pause the timeline (p)"
          >
            <Icon name={frozen ? "play" : "pause"} />
            {frozen ? "Continue" : "Pause"}
            <span class="sr-only"> the timeline</span>
            {missed > 0 && <span class="toggle-count">{missed} new</span>}
          </button>
          <button
            type="button"
            class="button"
            disabled={failures === 0}
            onClick={nextFailure}
            title="Jump to the next failure (e)"
          >
            <Icon name="down" />
            Next failure
          </button>
        </div>
      </div>
      {filtered.length === 0 ? (
        entries.length === 0 ? (
          <Empty icon="travel" title="Nothing has happened yet">
            <p>Change the object, or reconcile it now.</p>
          </Empty>
        ) : (
          <Empty icon="search" title="No entry matches">
            <button
              type="button"
              class="button"
              onClick={() => {
                setText("");
                setHidden(new Set());
                setFailedOnly(false);
              }}
            >
              Remove the filter
            </button>
          </Empty>
        )
      ) : (
        <ol ref={list} class="entries" aria-label="Timeline, the latest first" onKeyDown={moveBetweenEntries}>
          {filtered.slice(0, shown).map((timelineEntry) => {
            const id = entryId(timelineEntry);
            return (
              <EntryItem
                key={id}
                id={id}
                entry={timelineEntry}
                entries={entries}
                isTarget={id === target}
                onJump={jump}
              />
            );
          })}
        </ol>
      )}
      {filtered.length > shown && (
        <button type="button" class="button more-button" onClick={() => setShown(shown + pageSize)}>
          Show {Math.min(pageSize, filtered.length - shown)} more of {filtered.length - shown}
        </button>
      )}
    </div>
  );
}
