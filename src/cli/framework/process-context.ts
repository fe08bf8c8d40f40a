/** The parts of the process that a run uses. */
export interface ProcessContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opens standard input, which takes time; only questions and `-` need it. */
  readonly stdin: () => NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by an {@link Interruption}. */
  readonly signal: AbortSignal;
}
