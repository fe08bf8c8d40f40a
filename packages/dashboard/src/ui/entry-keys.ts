import type { TargetedKeyboardEvent } from "preact";

/** Moves the focus between the heads of entries. */
export function moveBetweenEntries(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const target = event.target as HTMLElement;
  if (!step || !target.classList.contains("entry-head")) return;
  const heads = [...event.currentTarget.querySelectorAll<HTMLElement>(".entry-head")];
  const next = heads[heads.indexOf(target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
