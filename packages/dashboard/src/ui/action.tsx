import { type ComponentChildren, createContext, type JSX } from "preact";
import { useCallback, useContext, useState } from "preact/hooks";
import { ApiError } from "../state/api.ts";
import { Icon } from "./icons.tsx";

interface Toast {
  readonly id: number;
  readonly tone: "good" | "bad";
  readonly text: string;
  readonly hint?: string | undefined;
}

/** Reports the outcome of an action. */
export type Notify = (tone: Toast["tone"], text: string, hint?: string) => void;

const NotifyContext = createContext<Notify>(() => undefined);
const shownTime = 5000;
const maxToasts = 4;
let nextId = 1;

/** Shows the outcomes of actions for some seconds. */
export function Notifications({ children }: { children: ComponentChildren }): JSX.Element {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const notify = useCallback<Notify>((tone, text, hint) => {
    const id = nextId++;
    setToasts((all) => [...all, { id, tone, text, hint }].slice(-maxToasts));
    setTimeout(() => remove(id), tone === "bad" ? 2 * shownTime : shownTime);
  }, []);
  return (
    <NotifyContext.Provider value={notify}>
      {children}
      <div class="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, tone, text, hint }) => (
          <div key={id} class={`toast toast-${tone}`}>
            <Icon name={tone === "good" ? "check" : "alert"} />
            <div class="toast-text">
              <p>{text}</p>
              {hint && <p class="error-hint">{hint}</p>}
            </div>
            <button type="button" class="button button-icon" aria-label="Dismiss" onClick={() => remove(id)}>
              <Icon name="cross" />
            </button>
          </div>
        ))}
      </div>
    </NotifyContext.Provider>
  );
}

/** An action of the user against the session. */
export interface Action {
  readonly isRunning: boolean;
  /**
   * Runs it, and reports its outcome.
   *
   * @returns whether it succeeded
   */
  readonly run: (perform: () => Promise<unknown>, done: string) => Promise<boolean>;
}

/** Returns the function that reports outcomes. */
export const useNotify = (): Notify => useContext(NotifyContext);

/** Runs actions one at a time, and reports their outcomes. */
export function useAction(): Action {
  const notify = useNotify();
  const [isRunning, setRunning] = useState(false);
  const run = useCallback<Action["run"]>(
    async (perform, done) => {
      setRunning(true);
      try {
        await perform();
        notify("good", done);
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        notify("bad", error.message, error.hint);
        return false;
      } finally {
        setRunning(false);
      }
    },
    [notify],
  );
  return { isRunning, run };
}
