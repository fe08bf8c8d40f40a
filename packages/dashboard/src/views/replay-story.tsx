import type { JSX, TargetedKeyboardEvent } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { positionAfterKey } from "../model/list-position.ts";
import {
  containsWords,
  fieldChangesOf,
  firstSelected,
  formatVirtual,
  isNotable,
  lineOf,
  type StoryEntry,
  storyOf,
} from "../model/replay.ts";
import { formatDuration } from "../model/time.ts";
import type { ReplayFinding } from "../protocol/protocol.ts";
import { useKey } from "../state/hooks.ts";
import { Empty } from "../ui/parts.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import { ReplayPicture, StoryShape } from "./replay-picture.tsx";

const rowHeight = 44;
/** Milliseconds of virtual time that are shown as a jump. */
const longGap = 1000;

/** The timeline of a finding: a picture, a list, and the details of the selected entry. */
export function ReplayStory({ finding }: { finding: ReplayFinding }): JSX.Element {
  const story = useMemo(() => storyOf(finding.timeline), [finding]);
  const [selected, setSelected] = useState(() => firstSelected(story, finding.position));
  const [text, setText] = useState("");
  const [isBrief, setBrief] = useState(false);
  const list = useRef<HTMLDivElement | null>(null);
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return story.filter((entry) => {
      if (isBrief && !isNotable(entry) && entry.type !== "write") return false;
      return containsWords(entry, words);
    });
  }, [story, text, isBrief]);
  const position = shown.findIndex(({ index }) => index === selected);
  const select = (at: number): void => {
    const entry = shown[Math.max(0, Math.min(shown.length - 1, at))];
    if (entry) setSelected(entry.index);
  };
  const jump = (): void => {
    const next = story.find((entry) => entry.index > selected && isNotable(entry)) ?? story.find(isNotable);
    if (next) setSelected(next.index);
  };
  useKey("e", jump);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>, pageSize: number): void => {
    const to = positionAfterKey(event.key, position, pageSize, shown.length);
    if (to === undefined) return;
    select(to);
    event.preventDefault();
  };
  if (story.length === 0) return <Empty icon="travel" title="The finding has no timeline" />;
  const entry = story[selected];
  return (
    <>
      <ReplayPicture story={story} selected={selected} onSelect={setSelected} />
      <div class="filters">
        <SearchField label="Filter the timeline" value={text} onInput={setText} onEnter={() => list.current?.focus()} />
        <button type="button" class="button" aria-pressed={isBrief} onClick={() => setBrief(!isBrief)}>
          Writes and faults
        </button>
        <button type="button" class="button wide-only" title="Next fault or failure (e)" onClick={jump}>
          Next failure
          <kbd>e</kbd>
        </button>
      </div>
      <div class="replay-split">
        {shown.length === 0 ? (
          <Empty icon="search" title="No entry matches" />
        ) : (
          <VirtualList
            count={shown.length}
            rowHeight={rowHeight}
            label="Timeline"
            role="listbox"
            active={position}
            activeId={`story-${selected}`}
            onKeyDown={onKeyDown}
            listRef={(element) => {
              list.current = element;
            }}
            renderRow={(index) => (
              <StoryRow
                entry={shown[index]!}
                isSelected={shown[index]!.index === selected}
                onSelect={() => setSelected(shown[index]!.index)}
              />
            )}
          />
        )}
        {entry && <StoryDetail entry={entry} />}
      </div>
    </>
  );
}

function StoryRow({
  entry,
  isSelected,
  onSelect,
}: {
  entry: StoryEntry;
  isSelected: boolean;
  onSelect: () => void;
}): JSX.Element {
  const { index, time, gap, actor, action, object, revision, detail, type } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the list has the focus and its keys.
    <div
      id={`story-${index}`}
      role="option"
      aria-selected={isSelected}
      class={`story-row story-row-${type} ${isSelected ? "is-active" : ""}`}
      onClick={onSelect}
    >
      <span class="story-time">
        {formatVirtual(time)}
        {gap >= longGap && <span class="story-gap">+{formatDuration(gap)}</span>}
      </span>
      <svg class={`story-icon story-${type}`} viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true">
        <StoryShape type={type} />
      </svg>
      <span class="story-text">
        <span class="story-title">
          <span class="story-actor">{lineOf(actor)}</span> <strong>{lineOf(action)}</strong> {lineOf(object)}
          {revision !== "" && <span class="story-revision">@{lineOf(revision)}</span>}
        </span>
        {detail !== "" && <span class="story-note">{lineOf(detail)}</span>}
      </span>
    </div>
  );
}

/** Everything about an entry. */
function StoryDetail({ entry }: { entry: StoryEntry }): JSX.Element {
  const { step, time, actor, action, object, revision, detail, type } = entry;
  const changes = type === "write" ? fieldChangesOf(detail) : undefined;
  const facts = [
    ["Actor", actor],
    ["Object", object],
    ["Revision", revision],
    ["Time", `${formatVirtual(time)}, step ${step}`],
  ].filter(([, value]) => value !== "");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="story-detail" tabIndex={0} aria-label="Selected entry">
      <h2 aria-live="polite">{action}</h2>
      <dl class="story-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {changes ? (
        <div class="code diff">
          {changes.map(({ path, before, after }, index) => (
            <span key={index} class="story-change">
              <span class="diff-line diff-hunk">{path}</span>
              {before !== "none" && (
                <span class="diff-line diff-removed">
                  <span class="diff-sign">−</span>
                  {before}
                </span>
              )}
              {after !== "none" && (
                <span class="diff-line diff-added">
                  <span class="diff-sign">+</span>
                  {after}
                </span>
              )}
            </span>
          ))}
        </div>
      ) : (
        detail !== "" && <p class={`story-full ${isNotable(entry) ? `story-full-${type}` : ""}`}>{detail}</p>
      )}
    </section>
  );
}
