import type { ComponentChildren, JSX } from "preact";
import { isFailedCall, nextOf, outcomeOf, reasonParts, writeSummary } from "../model/explain.ts";
import { callResult, type ReconcileRecord } from "../protocol/protocol.ts";
import { DiffCount, ObjectLink, Sentence } from "../ui/parts.tsx";

const shownReasons = 3;
const shownWrites = 4;
const shownCalls = 3;

/** Why → what it read → what it called → what it wrote → what comes next. */
export function ReconcileFlow({ record }: { record: ReconcileRecord }): JSX.Element {
  const { reasons, reads, writes, calls = [], error } = record;
  const cached = reads.filter(({ from }) => from === "cache").length;
  const outcome = outcomeOf(record);
  return (
    <ol class={`flow ${calls.length > 0 ? "flow-with-calls" : ""}`} aria-label="Why, reads, calls, writes, next">
      <FlowStep label="Why">
        {reasons.length === 0 ? (
          <span class="muted">unknown</span>
        ) : (
          reasons.slice(0, shownReasons).map((reason, index) => (
            <span key={index} class="flow-line">
              <Sentence parts={reasonParts(reason)} />
            </span>
          ))
        )}
        {reasons.length > shownReasons && <span class="muted">and {reasons.length - shownReasons} more reasons</span>}
      </FlowStep>
      <FlowStep label="Read">
        {reads.length === 0 ? (
          <span class="muted">nothing</span>
        ) : (
          <>
            <span class="flow-line">{summarizeReads(reads)}</span>
            <span class="muted">
              {cached === reads.length
                ? "from the cache"
                : cached === 0
                  ? "from the server"
                  : `${cached} from the cache`}
            </span>
          </>
        )}
      </FlowStep>
      {calls.length > 0 && (
        <FlowStep label="Called">
          {calls.slice(0, shownCalls).map((call, index) => (
            <span key={index} class="flow-line">
              {call.method} {hostOf(call.url)}{" "}
              <span class={isFailedCall(call) ? "bad-text" : "muted"}>{callResult(call)}</span>
            </span>
          ))}
          {calls.length > shownCalls && <span class="muted">and {calls.length - shownCalls} more calls</span>}
        </FlowStep>
      )}
      <FlowStep label="Wrote" tone={outcome.state}>
        {writes.length === 0 && !error && <span class="muted">nothing</span>}
        {writes.slice(0, shownWrites).map((write, index) => {
          const { verb, object, added, removed, outcome } = writeSummary(write);
          return (
            <span key={index} class="flow-line">
              {verb} {object.name ? <ObjectLink object={object} /> : object.kind}{" "}
              {outcome === "changed" ? (
                <DiffCount added={added} removed={removed} />
              ) : (
                <span class={outcome === "failed" ? "bad-text" : "muted"}>{outcome}</span>
              )}
            </span>
          );
        })}
        {writes.length > shownWrites && <span class="muted">and {writes.length - shownWrites} more writes</span>}
        {error && (
          <span class="flow-line bad-text">
            {firstLine(error.message)}
            {error.file && (
              <code class="position">
                {error.file}
                {error.line ? `:${error.line}` : ""}
              </code>
            )}
          </span>
        )}
      </FlowStep>
      <FlowStep label="Next">
        <span class="flow-line">{nextOf(record)}</span>
      </FlowStep>
    </ol>
  );
}

function FlowStep({
  label,
  tone = "",
  children,
}: {
  label: string;
  tone?: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <li class={`flow-step flow-${tone}`}>
      <span class="flow-label">{label}</span>
      <span class="flow-content">{children}</span>
    </li>
  );
}

function summarizeReads(reads: ReconcileRecord["reads"]): string {
  const counts = new Map<string, number>();
  for (const { verb, kind } of reads) {
    const label = verb === "list" ? `${kind} list` : kind;
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const parts = [...counts].map(([label, count]) => (count > 1 ? `${count} × ${label}` : label));
  return parts.length > 3 ? `${parts.slice(0, 3).join(", ")} and ${parts.length - 3} more` : parts.join(", ");
}

/** Returns the server and the path of a call, without what identifies one request. */
function hostOf(url: string): string {
  return URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : url;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
