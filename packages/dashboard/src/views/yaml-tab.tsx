import { masked } from "@kubewright/runtime/secrets";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { ownedLines } from "../model/yaml-owners.ts";
import type { FieldOwner, ObjectDetail } from "../protocol/protocol.ts";
import { ApiError, post } from "../state/api.ts";
import { useNotify } from "../ui/action.tsx";
import { Icon } from "../ui/icons.tsx";
import { ErrorNote } from "../ui/parts.tsx";
import { YamlField } from "./apply-dialog.tsx";

/** Number of colors for managers. */
const colors = 6;

/** The YAML of an object with the owner of each field, and an editor for it. */
export function YamlTab({
  detail,
  isGone,
  onChanged,
}: {
  detail: ObjectDetail;
  isGone: boolean;
  onChanged: () => void;
}): JSX.Element {
  const notify = useNotify();
  const [draft, setDraft] = useState<string>();
  const [error, setError] = useState<ApiError>();
  const [isRunning, setRunning] = useState(false);
  const { yaml, fields } = detail;
  const isMasked = detail.summary.kind === "Secret" && yaml.includes(masked);
  if (draft === undefined) {
    return (
      <div class="yaml-tab">
        <div class="toolbar">
          <button type="button" class="button" disabled={isGone || isMasked} onClick={() => setDraft(yaml)}>
            <Icon name="edit" />
            Edit YAML
          </button>
          {isMasked && <span class="note">The values of Secrets are hidden. Use kubectl to edit them.</span>}
        </div>
        <OwnedYaml yaml={yaml} fields={fields} />
      </div>
    );
  }
  const save = async (): Promise<void> => {
    setRunning(true);
    setError(undefined);
    try {
      await post("/api/apply", { yaml: draft, replace: true });
      notify("good", `${detail.summary.kind} ${detail.summary.name} is updated`);
      setDraft(undefined);
      onChanged();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return (
    <div class="yaml-tab">
      <div class="toolbar">
        <button
          type="button"
          class="button button-primary"
          disabled={isRunning || draft === yaml}
          onClick={() => void save()}
        >
          Save
        </button>
        <button type="button" class="button" onClick={() => setDraft(undefined)}>
          Cancel
        </button>
        {error?.status === 409 && (
          <button
            type="button"
            class="button"
            onClick={() => {
              setError(undefined);
              setDraft(yaml);
            }}
          >
            Start again from the current object
          </button>
        )}
        <span class="note">Ctrl+Enter saves.</span>
      </div>
      {error && <ErrorNote error={error} />}
      <YamlField value={draft} label="YAML of the object" onInput={setDraft} onSubmit={() => void save()} />
    </div>
  );
}

function OwnedYaml({ yaml, fields }: { yaml: string; fields: readonly FieldOwner[] }): JSX.Element {
  const lines = useMemo(() => ownedLines(yaml, fields), [yaml, fields]);
  const names = useMemo(() => [...new Set(fields.map(nameOf))], [fields]);
  const [shown, setShown] = useState<string>();
  return (
    <>
      {names.length > 0 && (
        <fieldset class="owners" aria-label="Field managers">
          <span class="muted">Fields of</span>
          {names.map((name, index) => (
            <button
              key={name}
              type="button"
              class={`owner owner-${index % colors}`}
              aria-pressed={shown === name}
              onClick={() => setShown(shown === name ? undefined : name)}
            >
              <span class="owner-color" aria-hidden="true" />
              {name}
            </button>
          ))}
        </fieldset>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class="code yaml" tabIndex={0} aria-label="YAML with the owners of its fields">
        {lines.map(({ text, owners }, index) => {
          const lineNames = [...new Set(owners.map(nameOf))];
          const first = lineNames[0];
          const isNew = first !== undefined && nameOf(lines[index - 1]?.owners[0]) !== first;
          const isDimmed = shown !== undefined && !lineNames.includes(shown);
          return (
            <div key={index} class={`yaml-line ${isDimmed ? "is-dimmed" : ""}`}>
              <span
                class={`yaml-owner ${first === undefined ? "" : `owner-${names.indexOf(first) % colors}`}`}
                title={lineNames.join(", ")}
              />
              <YamlText text={text} />
              {isNew && (
                <span class="yaml-owner-name">
                  {first}
                  {lineNames.length > 1 && ` +${lineNames.length - 1}`}
                </span>
              )}
            </div>
          );
        })}
      </section>
    </>
  );
}

function YamlText({ text }: { text: string }): JSX.Element {
  const match = /^(\s*(?:- )*)([^\s:][^:]*:)( .*)?$/.exec(text);
  if (!match) return <span class="yaml-text">{text || " "}</span>;
  return (
    <span class="yaml-text">
      {match[1]}
      <span class="yaml-key">{match[2]}</span>
      {match[3]}
    </span>
  );
}

function nameOf(owner: FieldOwner | undefined): string {
  if (!owner) return "";
  return owner.subresource ? `${owner.manager} (${owner.subresource})` : owner.manager;
}
