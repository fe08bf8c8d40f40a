import type { JSX } from "preact";
import { Dialog } from "../ui/dialog.tsx";

const keys: readonly (readonly [keys: readonly string[], effect: string])[] = [
  [["1", "…", "6"], "Open a view"],
  [["/"], "Focus the filter"],
  [["↑", "↓"], "Select an object; move between the entries of a timeline"],
  [["←", "→"], "Collapse or expand an object; select a tab"],
  [["Enter"], "Open the selected object; show the details of an entry"],
  [["Esc"], "Close the object or the dialog; empty the filter"],
  [["p"], "Pause or continue the timeline"],
  [["e"], "Jump to the next failure in the timeline"],
  [["?"], "Show this help"],
];

/** The keys of the page. */
export function HelpDialog({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {keys.map(([names, effect]) => (
          <div key={effect} class="keys-row">
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <p class="note">
        The same data without a browser: <code>npx scaffold dev status</code>, <code>why</code>, <code>timeline</code>,{" "}
        <code>objects</code>, <code>queue</code>, <code>fault</code>.
      </p>
    </Dialog>
  );
}
