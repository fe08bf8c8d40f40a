import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import { parseRoute, type Route } from "../model/route.ts";
import { ApiError, get } from "./api.ts";
import { type MessageListener, type SessionState, SessionStore } from "./session-store.ts";

/** The store of the page. */
export const StoreContext = createContext(new SessionStore());

/** Returns a part of the session's state, and renders again when it changes. */
export function useSession<T>(select: (state: SessionState) => T): T {
  const store = useContext(StoreContext);
  const selected = useRef(select);
  selected.current = select;
  const [value, setValue] = useState(() => select(store.state));
  useEffect(() => {
    const update = () => setValue(() => selected.current(store.state));
    update();
    return store.subscribe(update);
  }, [store]);
  return value;
}

/** Receives the messages of each frame. */
export function useMessages(listener: MessageListener): void {
  const store = useContext(StoreContext);
  const current = useRef(listener);
  current.current = listener;
  useEffect(() => store.onMessages((messages) => current.current(messages)), [store]);
}

/** Data that was fetched. */
export interface Fetched<T> {
  /** Undefined until the first answer. */
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  /** Fetches again. */
  readonly refresh: () => void;
}

/** Most frequent refresh, in milliseconds. */
const refreshTime = 500;

/**
 * Fetches data, again when the path or the query changes. Refreshes are limited in frequency, and one request runs at a
 * time.
 */
export function useFetched<T>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Fetched<T> {
  const key = `${path} ${JSON.stringify(query)}`;
  const epoch = useSession((state) => state.epoch);
  const [state, setState] = useState<{ key: string; data: T | undefined; error: ApiError | undefined }>({
    key: "",
    data: undefined,
    error: undefined,
  });
  const control = useRef({ key, isRunning: false, isWanted: false, isClosed: false, last: 0 });
  const run = useCallback(async () => {
    const { current } = control;
    if (current.isClosed) return;
    if (current.isRunning) {
      current.isWanted = true;
      return;
    }
    current.isRunning = true;
    current.isWanted = false;
    const asked = current.key;
    current.last = Date.now();
    try {
      const data = await get<T>(path, query);
      if (current.key === asked) setState({ key: asked, data, error: undefined });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (current.key === asked)
        setState(({ key, data }) => ({ key: asked, data: key === asked ? data : undefined, error }));
    } finally {
      current.isRunning = false;
      if (current.isWanted || current.key !== asked) setTimeout(() => void latest.current(), refreshTime);
    }
  }, [key]);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    control.current.key = key;
    void run();
  }, [key, epoch]);
  useEffect(
    () => () => {
      control.current.isClosed = true;
    },
    [],
  );
  const refresh = useCallback(() => {
    const { current } = control;
    if (current.isRunning) current.isWanted = true;
    else if (Date.now() - current.last > refreshTime) void latest.current();
    else if (!current.isWanted) {
      current.isWanted = true;
      setTimeout(() => void latest.current(), refreshTime);
    }
  }, []);
  return {
    data: state.key === key ? state.data : undefined,
    error: state.key === key ? state.error : undefined,
    refresh,
  };
}

/** Returns what the address leads to. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const update = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return route;
}

/** Returns the time, and renders again after each interval in milliseconds. */
export function useNow(interval = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), interval);
    return () => clearInterval(timer);
  }, [interval]);
  return now;
}

/** Calls a function when a key is pressed outside of text fields and dialogs. */
export function useKey(key: string | RegExp, handle: (event: KeyboardEvent) => void): void {
  const current = useRef(handle);
  current.current = handle;
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const isMeant = typeof key === "string" ? event.key === key : key.test(event.key);
      if (!isMeant || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      if (target.closest("input, textarea, select, dialog")) return;
      event.preventDefault();
      current.current(event);
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [key]);
}

/** Width of an element in pixels; 0 before it is laid out. */
export function useWidth<T extends HTMLElement>(): readonly [(element: T | null) => void, number] {
  const [width, setWidth] = useState(0);
  const observer = useRef<ResizeObserver | undefined>(undefined);
  const attach = useCallback((element: T | null) => {
    observer.current?.disconnect();
    if (!element) return;
    observer.current = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.current.observe(element);
  }, []);
  return [attach, width];
}
