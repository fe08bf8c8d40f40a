import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { withheldId } from "../protocol/protocol.ts";
import { post } from "../state/api.ts";
import { useSession } from "../state/hooks.ts";
import { useAction } from "../ui/action.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";

const phases = {
  generate: "Generating failed",
  bundle: "The bundle failed",
  types: "Type error",
  apply: "Applying failed",
  manager: "The manager failed",
} as const;

/** The errors of the session that aren't fixed, with the lines around them. */
export function SessionErrors(): JSX.Element | null {
  const errors = useSession(({ status }) => status?.errors);
  const connection = useSession((state) => state.connection);
  const isInspected = useSession(({ status }) => status?.manager.inspected ?? true);
  const isRunning = useSession(({ status }) => status?.manager.state === "running");
  const withheld = errors?.filter(({ id }) => id === withheldId) ?? [];
  return (
    <>
      {connection === "ended" && (
        <div class="banner" role="alert">
          <p class="banner-title">The session has ended</p>
          <p>
            Run <code>npx scaffold dev</code> again, then press <kbd>o</kbd>. This page shows the last state.
          </p>
        </div>
      )}
      {isRunning && !isInspected && (
        <div class="banner banner-warn">
          <p class="banner-title">The manager doesn't report its reconciles</p>
          <p>
            Its runtime has no option <code>inspect</code>. Update <code>@kubewright/runtime</code>.
          </p>
        </div>
      )}
      {errors && errors.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <section class="session-errors" tabIndex={0} aria-label="Errors of the session">
          {errors.map(({ phase, message, file, line, column, frame, id, hint }, index) => (
            <article key={index} class="session-error">
              <h2>
                <Icon name="alert" />
                {phases[phase]}
                {file && (
                  <code class="position">
                    {file}
                    {line ? `:${line}${column ? `:${column}` : ""}` : ""}
                  </code>
                )}
                {id && <span class="error-id">{id}</span>}
              </h2>
              <pre class="error-message">{message}</pre>
              {frame && <pre class="error-frame">{frame}</pre>}
              {hint && <p>Hint: {hint}</p>}
            </article>
          ))}
          {withheld.length > 0 && <AcceptLoss messages={withheld.map(({ message }) => message)} />}
        </section>
      )}
    </>
  );
}

/** Applies all changes that are withheld, after a question: fields of stored objects are lost. */
function AcceptLoss({ messages }: { messages: readonly string[] }): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const action = useAction();
  return (
    <div>
      <button type="button" class="button button-danger" onClick={() => setAsked(true)}>
        Apply with the loss
      </button>
      {isAsked && (
        <ConfirmDialog
          title="Apply with the loss of stored fields?"
          confirm="Apply"
          isRunning={action.isRunning}
          onConfirm={() =>
            void action.run(() => post("/api/accept-loss"), "The change is applied").then(() => setAsked(false))
          }
          onClose={() => setAsked(false)}
        >
          {messages.map((message) => (
            <p key={message} class="loss-message">
              {message}
            </p>
          ))}
          <p>Each object loses the fields when it is written next. This can't be undone.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
