/** Environment variable that lets a bundle wait until the session starts its code. */
const holdVariable = "KUBEWRIGHT_DEV_HOLD";

/** The environment of a manager that {@link holdUntilStart} holds. */
export const held: Readonly<Record<string, string>> = { [holdVariable]: "true" };

const kubewright = "dev";

/** Returns the message that starts a held manager, with variables for its environment. */
export function startMessage(env: Readonly<Record<string, string>>) {
  return { kubewright, env } as const;
}

/**
 * Returns code that waits at the begin of a bundle for a {@link startMessage}. The next manager can so be loaded while the old one
 * stops, which takes about as long.
 */
export function holdUntilStart(): string {
  return `if (process.env.${holdVariable}) {
  delete process.env.${holdVariable};
  // Nothing else keeps the process running.
  process.channel?.ref();
  await new Promise((resolve) => {
    process.on("message", function listen(message) {
      if (message?.kubewright !== "${kubewright}") return;
      Object.assign(process.env, message.env);
      process.off("message", listen);
      resolve();
    });
  });
  process.channel?.unref();
}`;
}
