import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { parseDiff } from "../model/diff.ts";
import type { Part } from "../model/explain.ts";
import { kindMark } from "../model/kind-mark.ts";
import { objectHref } from "../model/route.ts";
import { type Stateful, stateLabel } from "../model/state-label.ts";
import { formatAge, formatClock } from "../model/time.ts";
import type { ObjectRef } from "../protocol/protocol.ts";
import type { ApiError } from "../state/api.ts";
import { useNow } from "../state/hooks.ts";
import { Icon, type IconName } from "./icons.tsx";

/** The abbreviation of a kind. Kinds of the project have another color. */
export function KindMark({ kind, own = false }: { kind: string; own?: boolean }): JSX.Element {
  return (
    <span class={`kind-mark ${own ? "kind-mark-own" : ""}`} aria-hidden="true">
      {kindMark(kind)}
    </span>
  );
}

/** States that differ in shape as well as in color. */
export function ReadyMark({ object }: { object: Stateful }): JSX.Element {
  const { ready, deleting } = object;
  const label = stateLabel(object);
  if (deleting) return <Mark tone="muted" icon="cross" label={label} />;
  if (ready === null) return <Mark tone="none" icon="dash" label={label} />;
  return <Mark tone={ready ? "good" : "bad"} icon={ready ? "check" : "alert"} label={label} />;
}

/** A small round sign with a label for screen readers. */
export function Mark({ tone, icon, label }: { tone: string; icon: IconName; label: string }): JSX.Element {
  return (
    <span class={`mark mark-${tone}`} role="img" aria-label={label} title={label}>
      <Icon name={icon} />
    </span>
  );
}

/** Time since a moment. */
export function Age({ time }: { time: string | undefined }): JSX.Element {
  const now = useNow();
  if (!time) return <span class="age">–</span>;
  return (
    <time class="age" dateTime={time} title={new Date(time).toLocaleString()}>
      {formatAge(now - Date.parse(time))}
    </time>
  );
}

/** Time of day. */
export function Clock({ time }: { time: string }): JSX.Element {
  return (
    <time class="clock" dateTime={time} title={new Date(time).toLocaleString()}>
      {formatClock(time)}
    </time>
  );
}

/** A link to an object. */
export function ObjectLink({ object, withKind = true }: { object: ObjectRef; withKind?: boolean }): JSX.Element {
  return (
    <a class="object-link" href={objectHref(object)}>
      {withKind && <span class="object-link-kind">{object.kind} </span>}
      {object.name}
    </a>
  );
}

/**
 * The name of an object. If there isn't enough space for a name that begins with its owner's, the end remains visible: it
 * distinguishes the object from its siblings.
 */
export function ObjectName({ name, owner }: { name: string; owner: string | undefined }): JSX.Element {
  if (!owner || name.length <= owner.length || !name.startsWith(owner)) return <span class="name">{name}</span>;
  return (
    <span class="name name-split">
      <span class="name-start">{owner}</span>
      <span class="name-end">{name.slice(owner.length)}</span>
    </span>
  );
}

/** A sentence with links to its objects. */
export function Sentence({ parts }: { parts: readonly Part[] }): JSX.Element {
  return (
    <span class="sentence">
      {parts.map((part, index) => {
        if (part.type === "object") return <ObjectLink key={index} object={part.object} />;
        if (part.type === "field") return <code key={index}>{part.text}</code>;
        return part.text;
      })}
    </span>
  );
}

/** Numbers of added and removed lines. */
export function DiffCount({ added, removed }: { added: number; removed: number }): JSX.Element | null {
  if (added === 0 && removed === 0) return null;
  return (
    <span class="diff-count">
      {added > 0 && (
        <span class="added">
          +{added}
          <span class="sr-only"> lines added</span>
        </span>
      )}
      {removed > 0 && (
        <span class="removed">
          −{removed}
          <span class="sr-only"> lines removed</span>
        </span>
      )}
    </span>
  );
}

const signs = { added: "+", removed: "−", context: " ", hunk: "", note: "" } as const;

/** A unified diff. */
export function DiffView({ diff, label }: { diff: string; label: string }): JSX.Element {
  const { lines } = parseDiff(diff);
  if (lines.length === 0) return <p class="note">Nothing changed.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="code diff" tabIndex={0} aria-label={label}>
      {lines.map((line, index) => (
        <span key={index} class={`diff-line diff-${line.type}`}>
          <span class="diff-sign">{signs[line.type]}</span>
          {line.text || " "}
        </span>
      ))}
    </section>
  );
}

/** Text as it is, in a region that scrolls. */
export function CodeView({ text, label }: { text: string; label: string }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="code code-text" tabIndex={0} aria-label={label}>
      {text}
    </section>
  );
}

/** Explains why a view is empty, and how to fill it. */
export function Empty({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <p class="empty-title">{title}</p>
      {children && <div class="empty-text">{children}</div>}
    </div>
  );
}

/** Gray bars in the place of data that is being fetched. */
export function Loading({ rows = 6 }: { rows?: number }): JSX.Element {
  return (
    <div class="loading" role="status">
      <span class="sr-only">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="loading-bar" style={{ width: `${70 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

/** A failure of a request. */
export function ErrorNote({ error }: { error: Pick<ApiError, "message" | "hint"> }): JSX.Element {
  return (
    <div class="error-note" role="alert">
      <Icon name="alert" />
      <div>
        <p>{error.message}</p>
        {error.hint && <p class="error-hint">{error.hint}</p>}
      </div>
    </div>
  );
}

/** A label with a background. */
export function Chip({
  tone = "plain",
  title,
  children,
}: {
  tone?: "plain" | "good" | "bad" | "warn" | "accent";
  title?: string | undefined;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <span class={`chip chip-${tone}`} title={title}>
      {children}
    </span>
  );
}

/** A button that shows or hides details below it. */
export function Disclosure({
  summary,
  children,
  open = false,
}: {
  summary: ComponentChildren;
  children: () => ComponentChildren;
  open?: boolean;
}): JSX.Element {
  const [isOpen, setOpen] = useState(open);
  return (
    <div class="disclosure">
      <button type="button" class="disclosure-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="chevron" class={isOpen ? "turned" : ""} />
        <span class="disclosure-summary">{summary}</span>
      </button>
      {isOpen && <div class="disclosure-content">{children()}</div>}
    </div>
  );
}
