/** The main program of a version of the operator, which runs anew for each start of a process. */
export interface Program {
  /** The file that it was read from. */
  readonly file: string;
  /** The arguments of its command line. */
  readonly args: readonly string[];
  /** The environment variables of its container. A value of undefined stands for the name of the Pod. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether its processes elect a leader. */
  readonly electsLeader: boolean;
  /**
   * Runs it. Each run has variables of its own, as in a new process.
   *
   * @param process - the process of Node.js that it sees
   */
  run(process: NodeJS.Process): Promise<void>;
}
