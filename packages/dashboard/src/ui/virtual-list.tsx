import type { JSX, TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const overscan = 6;

/** Properties of a list that renders only the visible rows. */
export interface VirtualListProps {
  readonly count: number;
  /** Height of all rows, in pixels. */
  readonly rowHeight: number;
  readonly label: string;
  readonly role: "tree" | "listbox";
  /** Row that has the focus of the keyboard; -1 for none. */
  readonly active: number;
  /** Id of the active row's element. */
  readonly activeId: string | undefined;
  readonly onKeyDown: (event: TargetedKeyboardEvent<HTMLDivElement>, pageSize: number) => void;
  readonly renderRow: (index: number) => JSX.Element;
  /** Receives the element that has the focus. */
  readonly listRef?: (element: HTMLDivElement | null) => void;
}

/** A list that stays fast with thousands of rows. */
export function VirtualList(props: VirtualListProps): JSX.Element {
  const { count, rowHeight, label, role, active, activeId, onKeyDown, renderRow, listRef } = props;
  const element = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const current = element.current;
    if (!current) return;
    const update = () =>
      setView((old) =>
        old.top === current.scrollTop && old.height === current.clientHeight
          ? old
          : { top: current.scrollTop, height: current.clientHeight },
      );
    const observer = new ResizeObserver(update);
    observer.observe(current);
    current.addEventListener("scroll", update, { passive: true });
    listRef?.(current);
    return () => {
      observer.disconnect();
      current.removeEventListener("scroll", update);
      listRef?.(null);
    };
  }, []);
  // Only when the active row changes: otherwise, the list couldn't be scrolled away from it.
  useLayoutEffect(() => {
    const current = element.current;
    if (!current || active < 0) return;
    const [top, bottom] = [active * rowHeight, (active + 1) * rowHeight];
    if (top < current.scrollTop) current.scrollTop = top;
    else if (bottom > current.scrollTop + current.clientHeight) current.scrollTop = bottom - current.clientHeight;
  }, [active, rowHeight]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + overscan);
  const isActiveVisible = active >= first && active < last;
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useAriaPropsSupportedByRole: the role is a property.
    <div
      ref={element}
      class="virtual-list"
      role={role}
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={isActiveVisible ? activeId : undefined}
      onKeyDown={(event) => onKeyDown(event, Math.max(1, Math.floor(view.height / rowHeight) - 1))}
    >
      <div class="virtual-space" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {indexes.map((index) => (
          <div
            key={index}
            role="presentation"
            class="virtual-row"
            style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
          >
            {renderRow(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
