import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { applyTheme, shownTheme, storedTheme, type Theme } from "../state/theme.ts";
import { Icon } from "./icons.tsx";

const themes = [
  { theme: "system", icon: "system", label: "Theme of the system" },
  { theme: "light", icon: "sun", label: "Light theme" },
  { theme: "dark", icon: "moon", label: "Dark theme" },
] as const;

/** Switches between the themes. */
export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  const current = themes.find((option) => option.theme === theme) ?? themes[0];
  const next = following(current.theme);
  const change = (): void => {
    // A second click may come before the page is rendered again.
    const { theme } = following(shownTheme());
    applyTheme(theme);
    setTheme(theme);
  };
  return (
    <button
      type="button"
      class="button button-icon"
      aria-label={`${current.label}; switch to: ${next.label.toLowerCase()}`}
      title={current.label}
      onClick={change}
    >
      <Icon name={current.icon} />
    </button>
  );
}

function following(theme: Theme): (typeof themes)[number] {
  const index = themes.findIndex((option) => option.theme === theme);
  return themes[(index + 1) % themes.length] ?? themes[0];
}
