import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { formatVirtual, lanesOf, lineOf, linksOf, reconcilesOf, type StoryEntry, windowOf } from "../model/replay.ts";
import { useWidth } from "../state/hooks.ts";

const laneHeight = 26;
const padding = 12;
const markWidth = 14;
/** Height of the times below the lanes, and of the border and its padding. */
const frameHeight = 40;
const labelWidths = { wide: 96, narrow: 84 } as const;

/**
 * A picture of a finding: one lane per actor. Lines lead from writes to the events and reads that show them, so that late
 * ones are visible; bars are reconciles. The list below has the same content, so that it is hidden from screen readers.
 */
export function ReplayPicture({
  story,
  selected,
  onSelect,
}: {
  story: readonly StoryEntry[];
  selected: number;
  onSelect: (index: number) => void;
}): JSX.Element {
  const [attach, width] = useWidth<HTMLDivElement>();
  const lanes = useMemo(() => lanesOf(story), [story]);
  const links = useMemo(() => linksOf(story), [story]);
  const reconciles = useMemo(() => reconcilesOf(story), [story]);
  const labels = width < 600 ? labelWidths.narrow : labelWidths.wide;
  const inner = Math.max(0, width - labels - 2 * padding);
  const [first, last] = windowOf(story.length, selected, Math.max(8, Math.floor(inner / markWidth)));
  const height = lanes.length * laneHeight + 4;
  // Before its width is known, the picture takes the same place, so that the list below doesn't move.
  const place = width > 0 ? undefined : { height: `${height + frameHeight}px` };
  const step = last > first ? inner / (last - first) : 0;
  const xOf = (index: number) => labels + padding + (Math.max(first, Math.min(last, index)) - first) * step;
  const laneOf = (index: number) => lanes.indexOf(story[index]?.actor ?? "");
  const yOf = (lane: number) => lane * laneHeight + laneHeight / 2 + 2;
  const isShown = ({ from, to }: { from: number; to: number }) => to >= first && from <= last;
  const shown = story.slice(first, last + 1);
  return (
    <div ref={attach} class="strip replay-picture" aria-hidden="true" style={place}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          {lanes.map((actor, lane) => (
            <g key={actor}>
              <text x="0" y={yOf(lane) + 4} class="strip-label">
                {actor.length > 13 ? `${actor.slice(0, 12)}…` : actor}
              </text>
              <path d={`M${labels} ${yOf(lane)}H${width}`} class="strip-lane" />
            </g>
          ))}
          {shown.map(({ index, gap }) =>
            gap >= 10_000 && index > first ? (
              <path key={index} d={`M${xOf(index) - step / 2} 0V${height}`} class="replay-gap" />
            ) : null,
          )}
          {reconciles.filter(isShown).map(({ from, to }) => (
            <rect
              key={from}
              x={xOf(from) - 5}
              y={yOf(laneOf(from)) - 9}
              width={xOf(to) - xOf(from) + 10}
              height="18"
              rx="6"
              class={`replay-bar ${selected >= from && selected <= to && story[selected]?.actor === story[from]?.actor ? "is-selected" : ""}`}
            />
          ))}
          {links
            .filter(({ from, to }) => from >= first && to <= last)
            .map(({ from, to }) => {
              const [x1, y1, x2, y2] = [xOf(from), yOf(laneOf(from)), xOf(to), yOf(laneOf(to))];
              const bend = laneOf(from) === laneOf(to) ? -16 : 0;
              const isSelected = from === selected || to === selected;
              const isStale = story[to]?.type === "stale";
              return (
                <path
                  key={`${from}-${to}`}
                  d={`M${x1} ${y1}C${x2} ${y1 + bend} ${x1} ${y2 + bend} ${x2} ${y2}`}
                  class={`replay-link ${isStale ? "is-stale" : ""} ${isSelected ? "is-selected" : ""}`}
                />
              );
            })}
          {shown.map(({ index, type, action, object, time }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list below has the keys.
            <g
              key={index}
              class={`replay-mark story-${type} ${index === selected ? "is-selected" : ""}`}
              transform={`translate(${xOf(index)} ${yOf(laneOf(index))})`}
              onClick={() => onSelect(index)}
            >
              <title>{`${formatVirtual(time)} ${lineOf(action)} ${lineOf(object)}`}</title>
              <rect x={-markWidth / 2} y="-12" width={markWidth} height="24" class="strip-hit" />
              <StoryShape type={type} />
            </g>
          ))}
        </svg>
      )}
      {shown.length > 1 && (
        <p class="strip-times">
          <span>{formatVirtual(story[first]?.time ?? 0)}</span>
          <span>{formatVirtual(story[last]?.time ?? 0)}</span>
        </p>
      )}
    </div>
  );
}

/** The shape of an entry, around the origin. Shapes differ as well as colors. */
export function StoryShape({ type }: { type: StoryEntry["type"] }): JSX.Element {
  switch (type) {
    case "write":
      return <path d="M0-5L5 0L0 5L-5 0Z" />;
    case "fault":
      return <path d="M0-6L6 5H-6Z" />;
    case "broken":
    case "error":
      return <path d="M-4-4L4 4M4-4L-4 4" class="story-cross" />;
    case "reconcile":
      return <path d="M-3-5L5 0L-3 5Z" />;
    case "done":
      return <rect x="-2" y="-5" width="4" height="10" rx="1" />;
    case "process":
      return <rect x="-4.5" y="-4.5" width="9" height="9" rx="2" />;
    case "external":
      return <path d="M-5 0H5M0-5V5" class="story-cross" />;
    default:
      return <circle r="4" />;
  }
}
