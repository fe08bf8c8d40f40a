import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";

/** A modal dialog. Escape, the cross and a click on the backdrop close it; the focus returns to where it was. */
export function Dialog({
  title,
  wide = false,
  onClose,
  children,
}: {
  title: string;
  wide?: boolean;
  onClose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes dialogs.
    <dialog
      ref={element}
      class={`dialog ${wide ? "dialog-wide" : ""}`}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog-content">
        <header class="dialog-header">
          <h2 id={id}>{title}</h2>
          <button type="button" class="button button-icon" aria-label="Close" onClick={onClose}>
            <Icon name="cross" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** A dialog that asks before something is done. */
export function ConfirmDialog({
  title,
  confirm,
  isDanger = true,
  isRunning,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  /** The content of the button that confirms. */
  confirm: ComponentChildren;
  isDanger?: boolean;
  isRunning: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <footer class="dialog-footer">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class={`button ${isDanger ? "button-danger-filled" : "button-primary"}`}
          disabled={isRunning}
          onClick={onConfirm}
        >
          {confirm}
        </button>
      </footer>
    </Dialog>
  );
}
