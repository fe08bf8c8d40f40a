/** Environment variable that lets a bundle wait until the session starts its code. */
const holdVariable = "KUBEWRIGHT_DEV_HOLD";

/** The environment of a manager that {@link holdUntilStart} holds. */
export const held: Readonly<Record<string, string>> = { [holdVariable]: "true" };

/** The message that starts a held manager. */
export const startMessage = { kubewright: "dev", start: true } as const;

/**
 * Returns code that waits at the begin of a bundle for {@link startMessage}. The next manager can so be loaded while the old one
 * stops, which takes about as long.
 */
export function holdUntilStart(): string {
  return `if (process.env.${holdVariable}) {
  delete process.env.${holdVariable};
  // Nothing else keeps the process running.
  process.channel?.ref();
  await new Promise((resolve) => {
    process.on("message", function listen(message) {
      if (message?.kubewright !== "${startMessage.kubewright}") return;
      process.off("message", listen);
      resolve();
    });
  });
  process.channel?.unref();
}`;
}
