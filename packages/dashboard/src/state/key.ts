const name = "kubewright-key";

/** The key of a browser that stores nothing. */
let unstored = "";

/**
 * Takes the key from the address, after `#`, to which a new link leads. It is stored for this origin only: other servers on this
 * machine receive the page's cookie, but not its key. Other tabs of the page use it, too.
 */
export function takeKey(): void {
  const key = /^#key=([\w-]+)$/.exec(location.hash)?.[1];
  if (key === undefined) return;
  unstored = key;
  try {
    localStorage.setItem(name, key);
  } catch {
    // The browser allows no storage: the key is lost with the page.
  }
  history.replaceState(null, "", location.pathname);
}

/** Returns the key that requests need. */
export function storedKey(): string {
  try {
    return localStorage.getItem(name) ?? unstored;
  } catch {
    return unstored;
  }
}
