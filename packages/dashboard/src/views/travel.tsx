import type { JSX, TargetedKeyboardEvent } from "preact";
import { useMemo, useState } from "preact/hooks";
import { positionAfterKey } from "../model/list-position.ts";
import { objectHref } from "../model/route.ts";
import type { Revisions } from "../protocol/protocol.ts";
import { post } from "../state/api.ts";
import { useFetched, useMessages, useSession } from "../state/hooks.ts";
import { useAction } from "../ui/action.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { Clock, Empty, ErrorNote, KindMark, Loading } from "../ui/parts.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";

const rowHeight = 44;
const limit = "1000";
const verbs = { added: "created", modified: "changed", deleted: "deleted" } as const;

/** The changes of the cluster, and the way back to each of them. */
export function TravelView(): JSX.Element {
  const { data, error, refresh } = useFetched<Revisions>("/api/revisions", { limit });
  const restorable = useSession(({ status }) => status?.restorable ?? false);
  const action = useAction();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const [chosen, setChosen] = useState<number>();
  useMessages((messages) => {
    if (messages.some(({ type }) => type === "objects")) refresh();
  });
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const sorted = useMemo(() => [...(data?.changes ?? [])].sort((a, b) => b.revision - a.revision), [data]);
  const changes = sorted.filter(({ object, type, by, changed, revision }) => {
    const content = `${revision} ${object.kind} ${object.namespace ?? ""}/${object.name} ${verbs[type]} ${by ?? ""} ${changed.join(" ")}`;
    return words.every((word) => content.toLowerCase().includes(word));
  });
  const after = chosen === undefined ? 0 : (data?.changes ?? []).filter(({ revision }) => revision > chosen).length;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>, pageSize: number): void => {
    const to = positionAfterKey(event.key, active, pageSize, changes.length);
    if (to !== undefined) setActive(Math.max(0, Math.min(changes.length - 1, to)));
    else if (event.key === "Enter" && restorable) setChosen(changes[active]?.revision);
    else return;
    event.preventDefault();
  };
  return (
    <div class="view view-fill">
      <header class="view-header">
        <h1>Time travel</h1>
        {data && <span class="view-count">revision {data.revision}</span>}
      </header>
      <p class="view-intro">
        {restorable
          ? "Restore the cluster to the state after a change. The operator sees it as new events."
          : "Only the embedded API server can be restored."}
      </p>
      {error && <ErrorNote error={error} />}
      {!data ? (
        !error && <Loading />
      ) : data.changes.length === 0 ? (
        <Empty icon="travel" title="No changes yet" />
      ) : (
        <>
          <div class="filters">
            <SearchField label="Filter changes" value={text} onInput={setText} />
          </div>
          {changes.length === 0 ? (
            <Empty icon="search" title="No change matches" />
          ) : (
            <VirtualList
              count={changes.length}
              rowHeight={rowHeight}
              label="Changes of the cluster"
              role="listbox"
              active={Math.min(active, changes.length - 1)}
              activeId={`change-${changes[Math.min(active, changes.length - 1)]?.revision}`}
              onKeyDown={onKeyDown}
              renderRow={(index) => {
                const { revision, object, type, by, changed, time } = changes[index]!;
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the list has the focus and its keys.
                  <div
                    id={`change-${revision}`}
                    role="option"
                    aria-selected={index === active}
                    class={`change-row change-${type} ${index === active ? "is-active" : ""}`}
                    onClick={() => {
                      setActive(index);
                      if (restorable) setChosen(revision);
                    }}
                  >
                    <span class="change-rail" aria-hidden="true" />
                    <span class="revision-number">{revision}</span>
                    <KindMark kind={object.kind} />
                    <span class="object-name">
                      <span class="name">{object.name}</span>
                      <span class="kind">
                        {object.kind} {verbs[type]}
                        {by && ` by ${by}`}
                        {changed.length > 0 && `: ${changed.slice(0, 3).join(", ")}`}
                      </span>
                    </span>
                    <Clock time={time} />
                  </div>
                );
              }}
            />
          )}
        </>
      )}
      {chosen !== undefined && (
        <ConfirmDialog
          title={`Restore revision ${chosen}?`}
          confirm={
            <>
              <Icon name="travel" />
              Restore
            </>
          }
          isDanger={false}
          isRunning={action.isRunning}
          onConfirm={() =>
            void action
              .run(() => post("/api/restore", { revision: chosen }), `The cluster is at revision ${chosen}`)
              .then(() => setChosen(undefined))
          }
          onClose={() => setChosen(undefined)}
        >
          <p>
            {after === 0
              ? "No later change is known."
              : `${after} later ${after === 1 ? "change is" : "changes are"} undone. The operator may make them again.`}
          </p>
          <ChosenLink changes={data?.changes ?? []} revision={chosen} />
        </ConfirmDialog>
      )}
    </div>
  );
}

function ChosenLink({ changes, revision }: { changes: Revisions["changes"]; revision: number }): JSX.Element | null {
  const change = changes.find((change) => change.revision === revision);
  if (!change) return null;
  return (
    <p class="note">
      The change:{" "}
      <a href={objectHref(change.object, { tab: "revisions" })}>
        {change.object.kind} {change.object.name}
      </a>{" "}
      {verbs[change.type]}
    </p>
  );
}
