import type { JSX } from "preact";
import { Icon } from "./icons.tsx";

/** A filter. Escape empties it, Enter moves on to the results. */
export function SearchField({
  label,
  value,
  onInput,
  onEnter,
}: {
  label: string;
  value: string;
  onInput: (text: string) => void;
  onEnter?: () => void;
}): JSX.Element {
  return (
    <label class="search">
      <Icon name="search" />
      <span class="sr-only">{label}</span>
      <input
        type="search"
        value={value}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" || event.key === "ArrowDown") onEnter?.();
          else if (event.key === "Escape") {
            if (value === "") event.currentTarget.blur();
            onInput("");
          } else return;
          event.preventDefault();
        }}
      />
      <span class="key-hint" aria-hidden="true">
        /
      </span>
    </label>
  );
}
