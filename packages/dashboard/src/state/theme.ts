/** `system` follows the setting of the operating system. */
export type Theme = "system" | "light" | "dark";

const key = "kubewright-theme";

/** Returns the theme that the user chose last. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    // The browser may forbid storage.
    return "system";
  }
}

/** Returns the theme in which the page is shown. */
export function shownTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Shows the page in a theme, now and after a reload. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // The theme holds until the page is reloaded.
  }
}
