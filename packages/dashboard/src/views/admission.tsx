import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { parseDiff } from "../model/diff.ts";
import { formatDuration } from "../model/time.ts";
import type { AdmissionRecord } from "../protocol/protocol.ts";
import { useSession } from "../state/hooks.ts";
import { moveBetweenEntries } from "../ui/entry-keys.ts";
import { Icon } from "../ui/icons.tsx";
import { Chip, Clock, DiffCount, Empty, Mark, ObjectLink } from "../ui/parts.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { AdmissionDetails } from "./timeline-entry.tsx";

/** The requests to the webhooks of the manager. */
export function AdmissionView(): JSX.Element {
  const admissions = useSession((state) => state.admissions);
  const webhooks = useSession(({ status }) => status?.webhooks) ?? [];
  const [text, setText] = useState("");
  const [deniedOnly, setDeniedOnly] = useState(false);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = admissions.filter((record) => {
    if (deniedOnly && record.allowed) return false;
    const content = `${record.path} ${record.type} ${record.operation} ${record.object.kind} ${record.object.namespace}/${record.object.name} ${record.message ?? ""}`;
    return words.every((word) => content.toLowerCase().includes(word));
  });
  return (
    <div class="view">
      <header class="view-header">
        <h1>Admission</h1>
        <span class="view-count">{admissions.length}</span>
      </header>
      {admissions.length === 0 ? (
        <Empty icon="admission" title="No requests to webhooks yet">
          {webhooks.length === 0 ? (
            <p>
              Create a webhook with <code>npx scaffold create webhook</code>, then apply an object of its kind.
            </p>
          ) : (
            <p>
              The project has {webhooks.length === 1 ? "the webhook" : `${webhooks.length} webhooks:`}{" "}
              {webhooks.map((name, index) => (
                <>
                  {index > 0 && ", "}
                  <code key={name}>{name}</code>
                </>
              ))}
              . Apply an object of {webhooks.length === 1 ? "its kind" : "their kinds"} to see a request.
            </p>
          )}
        </Empty>
      ) : (
        <>
          <div class="filters">
            <SearchField label="Filter requests" value={text} onInput={setText} />
            <button type="button" class="toggle" aria-pressed={deniedOnly} onClick={() => setDeniedOnly(!deniedOnly)}>
              Denied
            </button>
          </div>
          {shown.length === 0 && <Empty icon="search" title="No request matches" />}
          <ol class="rows admissions" onKeyDown={moveBetweenEntries}>
            {shown.map((record) => (
              <AdmissionItem key={record.id} record={record} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function AdmissionItem({ record }: { record: AdmissionRecord }): JSX.Element {
  const { operation, type, object, path, patch, time, durationMs, subresource, allowed, message, dryRun, warnings } =
    record;
  const [isOpen, setOpen] = useState(false);
  const { added, removed } = parseDiff(patch);
  return (
    <li class="admission">
      <button type="button" class="entry-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="chevron" class={isOpen ? "turned" : ""} />
        {allowed ? <Mark tone="good" icon="check" label="Allowed" /> : <Mark tone="bad" icon="cross" label="Denied" />}
        <span class="entry-title">
          <strong>
            {object.kind} {object.name}
          </strong>
          <span class="muted">
            {operation.toLowerCase()}
            {subresource && ` ${subresource}`}, {type}
          </span>
          <DiffCount added={added} removed={removed} />
          {dryRun && <Chip>dry run</Chip>}
          {warnings.length > 0 && (
            <Chip tone="warn">{warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`}</Chip>
          )}
          {!allowed && message && <span class="bad-text entry-message">{message}</span>}
        </span>
        <span class="muted admission-time">{formatDuration(durationMs)}</span>
        <Clock time={time} />
      </button>
      {isOpen && (
        <div class="entry-details">
          <p>
            <code>{path}</code> for <ObjectLink object={object} />
          </p>
          <AdmissionDetails record={record} />
        </div>
      )}
    </li>
  );
}
