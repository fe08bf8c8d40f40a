import type { JSX } from "preact";

const paths = {
  objects: "M3 3h4v4H3zM9 9h4v4H9zM5 7v4h4",
  controllers: "M13 8a5 5 0 1 1-1.5-3.5M13 2.5v2.5h-2.5",
  caches: "M3 4c0-2 10-2 10 0v8c0 2-10 2-10 0zM3 4c0 2 10 2 10 0M3 8c0 2 10 2 10 0",
  admission: "M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM6 8l1.5 1.5L10.5 6.5",
  faults: "M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z",
  travel: "M3 8a5 5 0 1 0 1.5-3.5M3 2.5V5h2.5M8 5.5V8l2 1.5",
  check: "M4 8.5l2.5 2.5L12 5.5",
  cross: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  alert: "M8 4.5v4.5M8 11.5v.01",
  dash: "M5 8h6",
  chevron: "M6 4l4 4-4 4",
  arrow: "M3 8h10M9.5 4.5L13 8l-3.5 3.5",
  back: "M13 8H3M6.5 4.5L3 8l3.5 3.5",
  pause: "M6 4v8M10 4v8",
  play: "M5 3.5v9l7-4.5z",
  search: "M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3 3",
  sun: "M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  system: "M2.5 3.5h11v7h-11zM6 13.5h4",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  plus: "M8 3.5v9M3.5 8h9",
  edit: "M3 13l.5-2.5L10.5 3.5l2 2L5.5 12.5z",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9",
  scale: "M9.5 2.5h4v4M13.5 2.5l-5 5M6.5 13.5h-4v-4M2.5 13.5l5-5",
  down: "M8 3v10M4.5 9.5L8 13l3.5-3.5",
} as const;

export type IconName = keyof typeof paths;

/** An icon that only decorates: its meaning must be in a text next to it, or in a label. */
export function Icon({ name, class: extra = "" }: { name: IconName; class?: string }): JSX.Element {
  return (
    <svg class={`icon ${extra}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
