const size = 254 * 256;

/** The addresses of Pods, 10.244.0.0/16. Each Pod has one of its own. */
export class AddressPool {
  readonly #byUid = new Map<string, string>();
  readonly #taken = new Set<string>();
  #next = 0;

  /** Returns the address of a Pod, which is assigned to it if it has none. */
  of(uid: string): string {
    const present = this.#byUid.get(uid);
    if (present !== undefined) return present;
    let address: string;
    do {
      const index = this.#next++ % size;
      address = `10.244.${Math.floor(index / 254)}.${(index % 254) + 1}`;
    } while (this.#taken.has(address) && this.#taken.size < size);
    this.take(uid, address);
    return address;
  }

  /** Assigns an address to a Pod that has it already. */
  take(uid: string, address: string): void {
    if (this.#byUid.has(uid) || !address.startsWith("10.244.")) return;
    this.#byUid.set(uid, address);
    this.#taken.add(address);
  }

  /** Frees the address of a Pod that is gone. */
  release(uid: string): void {
    const address = this.#byUid.get(uid);
    if (address === undefined) return;
    this.#byUid.delete(uid);
    this.#taken.delete(address);
  }
}
