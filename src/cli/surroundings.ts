/** What a run needs of its process. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opening it loads Node's sockets: only a question needs it. */
  readonly stdin: () => NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by an {@link Interruption}. */
  readonly signal: AbortSignal;
}
