import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Applied } from "../protocol/protocol.ts";
import { ApiError, post } from "../state/api.ts";
import { useNotify } from "../ui/action.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNote } from "../ui/parts.tsx";

/** Applies YAML documents. */
export function ApplyDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const notify = useNotify();
  const [yaml, setYaml] = useState("");
  const [error, setError] = useState<Pick<ApiError, "message" | "hint">>();
  const [isRunning, setRunning] = useState(false);
  const apply = async (): Promise<void> => {
    setRunning(true);
    setError(undefined);
    try {
      const { objects } = await post<Applied>("/api/apply", { yaml });
      const failed = objects.filter(({ action }) => action === "failed");
      if (failed.length > 0) {
        setError({
          message: failed.map(({ kind, name, message }) => `${kind} ${name}: ${message ?? "failed"}`).join("\n"),
          hint: undefined,
        });
        return;
      }
      notify("good", objects.map(({ kind, name, action }) => `${kind} ${name} ${action}`).join(", "));
      onClose();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <Dialog title="Apply YAML" wide onClose={onClose}>
      <YamlField value={yaml} label="YAML documents" onInput={setYaml} onSubmit={() => void apply()} />
      {error && <ErrorNote error={error} />}
      <footer class="dialog-footer">
        <span class="note">Server-side apply as kubewright-dev. Ctrl+Enter applies.</span>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="button button-primary"
          disabled={isRunning || yaml.trim() === ""}
          onClick={() => void apply()}
        >
          Apply
        </button>
      </footer>
    </Dialog>
  );
}

/** A text field for YAML. */
export function YamlField({
  value,
  label,
  onInput,
  onSubmit,
}: {
  value: string;
  label: string;
  onInput: (text: string) => void;
  onSubmit: () => void;
}): JSX.Element {
  return (
    <textarea
      class="yaml-field"
      aria-label={label}
      placeholder={"apiVersion: …\nkind: …\nmetadata:\n  name: …"}
      spellcheck={false}
      autocomplete="off"
      wrap="off"
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
