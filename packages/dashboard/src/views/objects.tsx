import type { JSX, TargetedKeyboardEvent } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isBadCondition } from "../model/conditions.ts";
import { positionAfterKey } from "../model/list-position.ts";
import { type TreeRow, treeRows } from "../model/object-tree.ts";
import { objectHref, type Route } from "../model/route.ts";
import { isSameObject } from "../model/same-object.ts";
import type { ObjectSummary } from "../protocol/protocol.ts";
import { useSession } from "../state/hooks.ts";
import { Icon } from "../ui/icons.tsx";
import { Age, Chip, Empty, KindMark, Loading, ObjectName, ReadyMark } from "../ui/parts.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { VirtualList } from "../ui/virtual-list.tsx";
import { ApplyDialog } from "./apply-dialog.tsx";
import { ObjectPanel } from "./object-panel.tsx";

/** With more objects, only their roots are visible at first. */
const expandedLimit = 400;
const rowHeight = 36;

/** The owner trees of the project's objects; next to it, the selected object. */
export function ObjectsView({ route }: { route: Route }): JSX.Element {
  const objects = useSession((state) => state.objects);
  const kinds = useSession(({ status }) => status?.kinds);
  const [text, setText] = useState("");
  const [notReady, setNotReady] = useState(false);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [activeUid, setActiveUid] = useState("");
  const [isApplying, setApplying] = useState(false);
  const list = useRef<HTMLDivElement | null>(null);
  const size = objects?.size ?? 0;
  const [isOpenByDefault, setOpenByDefault] = useState<boolean>();
  useEffect(() => {
    if (objects && isOpenByDefault === undefined) setOpenByDefault(objects.size <= expandedLimit);
  }, [objects]);

  const rows = useMemo(
    () =>
      objects
        ? treeRows(
            objects,
            { text, notReady },
            (uid) => toggled.has(uid) !== (isOpenByDefault ?? size <= expandedLimit),
          )
        : [],
    [objects, text, notReady, toggled, isOpenByDefault],
  );
  const selected = route.object;
  // The page has one heading of the first level: the object, if one is selected.
  const Heading = selected ? "h2" : "h1";
  const isSelected = (object: ObjectSummary): boolean => selected !== undefined && isSameObject(selected, object);
  const selectedUid = useMemo(
    () => (selected ? rows.find(({ object }) => isSelected(object))?.object.uid : undefined),
    [rows, selected?.apiVersion, selected?.kind, selected?.namespace, selected?.name],
  );
  useEffect(() => {
    if (selectedUid) setActiveUid(selectedUid);
  }, [selectedUid]);
  const active = rows.findIndex(({ object }) => object.uid === activeUid);

  const toggle = (uid: string): void =>
    setToggled((old) => {
      const now = new Set(old);
      if (!now.delete(uid)) now.add(uid);
      return now;
    });
  const open = ({ object }: TreeRow): void => {
    setActiveUid(object.uid);
    location.hash = objectHref(object, { tab: route.tab });
  };
  const close = (): void => {
    location.hash = "#/objects";
    list.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>, pageSize: number): void => {
    const row = rows[active];
    const moveTo = (index: number) => {
      const next = rows[Math.max(0, Math.min(rows.length - 1, index))];
      if (next) setActiveUid(next.object.uid);
    };
    const to = positionAfterKey(event.key, active, pageSize, rows.length);
    if (to !== undefined) moveTo(to);
    else if (event.key === "Enter" || event.key === " ") {
      if (row) open(row);
    } else if (event.key === "ArrowRight" && row?.hasChildren) {
      if (row.isExpanded) moveTo(active + 1);
      else toggle(row.object.uid);
    } else if (event.key === "ArrowLeft" && row) {
      if (row.isExpanded) toggle(row.object.uid);
      else moveTo(rows.findLastIndex(({ depth }, index) => index < active && depth < row.depth));
    } else if (event.key === "Escape" && selected) close();
    else return;
    event.preventDefault();
  };

  const notReadyCount = objects ? [...objects.values()].filter(({ ready }) => ready === false).length : 0;
  return (
    <div class={`objects ${selected ? "objects-split" : ""}`}>
      <section class="objects-list" aria-label="Objects">
        <header class="view-header">
          <Heading>Objects</Heading>
          <span class="view-count">{objects ? size.toLocaleString("en-US") : ""}</span>
          <span class="header-space" />
          <button type="button" class="button" onClick={() => setApplying(true)}>
            <Icon name="plus" />
            Apply
            <span class="sr-only"> YAML</span>
          </button>
        </header>
        <div class="filters">
          <SearchField label="Filter objects" value={text} onInput={setText} onEnter={() => list.current?.focus()} />
          <button
            type="button"
            class="toggle"
            aria-pressed={notReady}
            disabled={notReadyCount === 0 && !notReady}
            onClick={() => setNotReady(!notReady)}
          >
            Not ready {notReadyCount > 0 && <span class="toggle-count">{notReadyCount}</span>}
          </button>
        </div>
        {!objects ? (
          <Loading rows={9} />
        ) : rows.length === 0 ? (
          size === 0 ? (
            <Empty icon="objects" title="No objects yet">
              <p>
                {kinds && kinds.length > 0
                  ? `Apply an object of ${kinds.map(({ kind }) => kind).join(" or ")}, or the samples of the project.`
                  : "The project has no kinds yet. Create one with npx scaffold create api."}
              </p>
              <button type="button" class="button button-primary" onClick={() => setApplying(true)}>
                Apply YAML
              </button>
            </Empty>
          ) : (
            <Empty icon="search" title="No object matches">
              <button
                type="button"
                class="button"
                onClick={() => {
                  setText("");
                  setNotReady(false);
                }}
              >
                Remove the filter
              </button>
            </Empty>
          )
        ) : (
          <VirtualList
            count={rows.length}
            rowHeight={rowHeight}
            label="Owner trees"
            role="tree"
            active={active}
            activeId={activeUid === "" ? undefined : `object-${activeUid}`}
            onKeyDown={onKeyDown}
            listRef={(element) => {
              list.current = element;
            }}
            renderRow={(index) => {
              const row = rows[index]!;
              return (
                <ObjectRow
                  row={row}
                  isActive={index === active}
                  isSelected={row.object.uid === selectedUid}
                  onOpen={() => open(row)}
                  onToggle={() => toggle(row.object.uid)}
                />
              );
            }}
          />
        )}
      </section>
      {selected && (
        <ObjectPanel
          key={`${selected.apiVersion}/${selected.kind}/${selected.namespace}/${selected.name}`}
          object={selected}
          route={route}
          onClose={close}
        />
      )}
      {isApplying && <ApplyDialog onClose={() => setApplying(false)} />}
    </div>
  );
}

function ObjectRow({
  row,
  isActive,
  isSelected,
  onOpen,
  onToggle,
}: {
  row: TreeRow;
  isActive: boolean;
  isSelected: boolean;
  onOpen: () => void;
  onToggle: () => void;
}): JSX.Element {
  const { object, depth, guides, hasChildren, isExpanded, position, siblings, isContext, notReadyBelow } = row;
  const { apiVersion, kind, namespace, name, generation, observedGeneration, conditions, replicas, own } = object;
  const isBehind = generation !== null && observedGeneration !== null && observedGeneration < generation;
  const columns = (object.columns ?? []).filter(({ value }) => value !== "");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the tree has the focus and its keys.
    <div
      id={`object-${object.uid}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={hasChildren ? isExpanded : undefined}
      aria-selected={isSelected}
      class={`object-row ${isActive ? "is-active" : ""} ${isSelected ? "is-selected" : ""} ${isContext ? "is-context" : ""}`}
      onClick={onOpen}
    >
      {guides.map((guide, level) => (
        <span key={level} class={`guide guide-${guide}`} aria-hidden="true" />
      ))}
      {hasChildren ? (
        <span
          class="expander"
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <Icon name="chevron" class={isExpanded ? "turned" : ""} />
        </span>
      ) : (
        <span class="expander" aria-hidden="true" />
      )}
      <KindMark kind={kind} own={own} />
      <span class="object-name">
        <ObjectName name={name} owner={row.owner} />
        <span class="kind" title={apiVersion}>
          {kind}
          {namespace && namespace !== row.ownerNamespace && <span class="namespace"> · {namespace}</span>}
        </span>
      </span>
      {columns.length > 0 && (
        <span class="fact-columns">
          {columns.map(({ name: column, value }) => (
            <span key={column} class="fact-column">
              <span class="muted">{column}</span> {value}
            </span>
          ))}
        </span>
      )}
      <span class="object-facts">
        {object.written && !own && (
          <span class="fact fact-written" title="Written by this operator">
            <Icon name="controllers" />
            <span class="sr-only">Written by this operator</span>
          </span>
        )}
        {!isExpanded && notReadyBelow > 0 && <Chip tone="bad">{notReadyBelow} below not ready</Chip>}
        {shownConditions(conditions).map(({ type, status, reason, message }) => (
          <Chip key={type} tone={isBadCondition(type, status) ? "bad" : "plain"} title={message}>
            {type}
            {reason ? `: ${reason}` : status === "True" ? "" : `: ${status}`}
          </Chip>
        ))}
        {isBehind && (
          <Chip tone="warn" title={`Generation ${generation}, observed ${observedGeneration}`}>
            observed {observedGeneration} of {generation}
          </Chip>
        )}
        {replicas !== undefined && (
          <span class="fact">
            {replicas} {replicas === 1 ? "replica" : "replicas"}
          </span>
        )}
        {generation !== null && !isBehind && <span class="fact fact-generation">gen {generation}</span>}
      </span>
      <Age time={object.creationTimestamp} />
      <ReadyMark object={object} />
    </div>
  );
}

/** Returns the conditions that explain why an object isn't ready. */
function shownConditions(conditions: ObjectSummary["conditions"]): ObjectSummary["conditions"] {
  return conditions.filter(({ type, status }) => isBadCondition(type, status)).slice(0, 2);
}
