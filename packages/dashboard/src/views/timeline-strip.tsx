import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { formatClock } from "../model/time.ts";
import { entryTypes, marksOf } from "../model/timeline.ts";
import type { TimelineEntry } from "../protocol/protocol.ts";
import { useWidth } from "../state/hooks.ts";

const laneHeight = 18;
const labelWidth = 72;
const padding = 10;
const laneLabels = { change: "changes", reconcile: "reconciles", event: "events", admission: "admission" } as const;

/**
 * A picture of the last entries: one lane per type. Lines lead from changes to the reconciles that they caused. Readers of
 * the list below miss nothing without the picture, so that it is hidden from screen readers.
 */
export function TimelineStrip({
  entries,
  selected,
  onSelect,
}: {
  entries: readonly TimelineEntry[];
  selected: string;
  onSelect: (id: string) => void;
}): JSX.Element {
  const [attach, width] = useWidth<HTMLDivElement>();
  const inner = Math.max(0, width - labelWidth - 2 * padding);
  const limit = Math.max(10, Math.floor(inner / 12));
  const marks = useMemo(() => marksOf(entries, limit), [entries, limit]);
  const lanes = entryTypes.filter((type) => type !== "admission" || marks.some(({ entry }) => entry.type === type));
  const height = lanes.length * laneHeight + 4;
  const xOf = (x: number) => labelWidth + padding + x * inner;
  const yOf = (lane: number) => lane * laneHeight + laneHeight / 2 + 2;
  const byVersion = new Map(
    marks.flatMap((mark) => (mark.entry.type === "change" ? [[mark.entry.change.resourceVersion, mark] as const] : [])),
  );
  const [first, last] = [marks[0], marks.at(-1)];
  return (
    <div ref={attach} class="strip" aria-hidden="true">
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          {lanes.map((type, lane) => (
            <g key={type}>
              <text x="0" y={yOf(lane) + 4} class="strip-label">
                {laneLabels[type]}
              </text>
              <path d={`M${labelWidth} ${yOf(lane)}H${width}`} class="strip-lane" />
            </g>
          ))}
          {marks.map(({ id, entry, lane, x }) =>
            entry.type !== "reconcile"
              ? null
              : entry.reconcile.reasons.map(({ resourceVersion = "" }, index) => {
                  const cause = byVersion.get(resourceVersion);
                  if (!cause) return null;
                  const [x1, y1, x2, y2] = [xOf(cause.x), yOf(cause.lane), xOf(x), yOf(lane)];
                  return (
                    <path
                      key={`${id}-${index}`}
                      d={`M${x1} ${y1}C${x2} ${y1} ${x1} ${y2} ${x2} ${y2}`}
                      class="strip-link"
                    />
                  );
                }),
          )}
          {marks.map(({ id, lane, x, failed, entry }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list below has the keys.
            <g
              key={id}
              class={`strip-mark strip-${entry.type} ${failed ? "is-failed" : ""} ${id === selected ? "is-selected" : ""}`}
              transform={`translate(${xOf(x)} ${yOf(lane)})`}
              onClick={() => onSelect(id)}
            >
              <title>{`${formatClock(entry.time)} ${entry.type}`}</title>
              <rect x="-6" y="-9" width="12" height="18" class="strip-hit" />
              <MarkShape entry={entry} failed={failed} />
            </g>
          ))}
        </svg>
      )}
      {first && last && marks.length > 1 && (
        <p class="strip-times">
          <span>{formatClock(first.entry.time)}</span>
          <span>{formatClock(last.entry.time)}</span>
        </p>
      )}
    </div>
  );
}

function MarkShape({ entry, failed }: { entry: TimelineEntry; failed: boolean }): JSX.Element {
  if (failed) return <path d="M-4-4L4 4M4-4L-4 4" class="strip-cross" />;
  if (entry.type === "change") return <path d="M0-5L5 0L0 5L-5 0Z" />;
  if (entry.type === "reconcile") {
    const wrote = entry.reconcile.writes.some(({ diff }) => diff !== "");
    return <rect x="-4" y="-6" width="8" height="12" rx="2" class={wrote ? undefined : "is-hollow"} />;
  }
  return <circle r={entry.type === "event" ? 3 : 4} />;
}
