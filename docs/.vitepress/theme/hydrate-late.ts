import { type Component, defineAsyncComponent, hydrateOnIdle } from "vue";

/**
 * Returns a component that takes over its part of a page when the browser is idle. Hydrating the whole page at once blocks a
 * phone for 0.2 s. The part is visible before, and its links work.
 */
export function hydrateLate(part: Component): Component {
  return defineAsyncComponent({ loader: () => Promise.resolve(part), hydrate: hydrateOnIdle(1000) });
}
