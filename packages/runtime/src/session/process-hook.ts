/**
 * A hook for the whole process, which `scaffold plan` installs before the operator's code is loaded. It can't be an option: it
 * must also reach clients that the operator creates without a manager.
 */
export class ProcessHook<T> {
  #installed: T | undefined;

  /** The installed hook; undefined in production. */
  get installed(): T | undefined {
    return this.#installed;
  }

  /** Installs a hook, or removes it. */
  install(hook: T | undefined): void {
    this.#installed = hook;
  }
}
