/** Why the signal of a command is aborted. */
export class Interruption extends Error {
  readonly by: NodeJS.Signals;

  constructor(by: NodeJS.Signals) {
    super(`interrupted by ${by}`);
    this.by = by;
  }
}
