import type { JSX } from "preact";
import { useRef } from "preact/hooks";

/** A tab. */
export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly count?: number | undefined;
}

/** A row of tabs. The arrow keys select the neighbors. */
export function Tabs<Name extends string>({
  tabs,
  selected,
  label,
  panelId,
  onSelect,
}: {
  tabs: readonly Tab<Name>[];
  selected: Name;
  label: string;
  panelId: string;
  onSelect: (name: Name) => void;
}): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const index = tabs.findIndex(({ name }) => name === selected);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onSelect(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ name, label, count }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${panelId}-${name}`}
          data-tab={name}
          class="tab"
          aria-selected={name === selected}
          aria-controls={panelId}
          tabIndex={name === selected ? 0 : -1}
          onClick={() => onSelect(name)}
        >
          {label}
          {count !== undefined && count > 0 && <span class="tab-count">{count}</span>}
        </button>
      ))}
    </div>
  );
}
