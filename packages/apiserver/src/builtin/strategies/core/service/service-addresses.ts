const base = [10, 0, 0];
/** The range of the addresses of services. */
export const serviceRange: string = `${base.join(".")}.0/24`;
const lowestDynamic = 17;
const highest = 254;
const lowestPort = 30_000;
const lowestDynamicPort = 30_086;
const highestPort = 32_767;

/** Keeps track of the addresses and node ports of services. */
export class ServiceAddresses {
  readonly #addresses = new Set<string>();
  readonly #ports = new Set<number>();

  /** The address that dry runs assign. */
  readonly firstAddress: string = [...base, 0].join(".");

  /**
   * Checks an address without a look at those that are in use.
   *
   * @param address - the address
   * @param problem - the problem of an address that isn't in the range, which differs for dry runs
   * @returns why the address can't be used; undefined if it is in the range
   */
  rangeProblem(
    address: string,
    problem = `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${serviceRange}`,
  ): string | undefined {
    const parts = address.split(".").map(Number);
    // The first and the last address are those of the network itself and of all its hosts.
    const last = parts[base.length] as number;
    const inRange =
      parts.length === 4 && base.every((part, index) => parts[index] === part) && last > 0 && last <= highest;
    return inRange ? undefined : `failed to allocate IP ${address}: ${problem}`;
  }

  /**
   * Reserves an address.
   *
   * @param address - the address
   * @param isFree - reports whether it belongs to nothing else
   * @returns why it can't be used; undefined if it is reserved
   */
  reserveAddress(address: string, isFree: (address: string) => boolean): string | undefined {
    const problem = this.rangeProblem(address, "the provided network does not match the current range");
    if (problem !== undefined) return problem;
    if (this.#addresses.has(address) || !isFree(address))
      return `failed to allocate IP ${address}: provided IP is already allocated`;
    this.#addresses.add(address);
    return undefined;
  }

  /**
   * Reserves any free address. Static addresses keep the lowest ones free.
   *
   * @param random - returns numbers in [0, 1)
   * @param isFree - reports whether an address belongs to nothing else
   * @returns the address; undefined if there is none
   */
  nextAddress(random: () => number, isFree: (address: string) => boolean): string | undefined {
    const candidates = [...rotated(range(lowestDynamic, highest), random), ...range(1, lowestDynamic - 1)];
    for (const last of candidates) {
      const address = [...base, last].join(".");
      if (this.#addresses.has(address) || !isFree(address)) continue;
      this.#addresses.add(address);
      return address;
    }
    return undefined;
  }

  /** Returns why a port can't be used; undefined if it is free now and reserved. */
  reservePort(port: number): string | undefined {
    if (port < lowestPort || port > highestPort)
      return "provided port is not in the valid range. The range of valid ports is 30000-32767";
    if (this.#ports.has(port)) return "provided port is already allocated";
    this.#ports.add(port);
    return undefined;
  }

  /** Reports whether a port is in use. */
  hasPort(port: number): boolean {
    return this.#ports.has(port);
  }

  /**
   * Reserves any free port.
   *
   * @param random - returns numbers in [0, 1)
   * @returns the port; undefined if there is none
   */
  nextPort(random: () => number): number | undefined {
    const candidates = rotated(range(lowestDynamicPort, highestPort), random);
    for (const port of [...candidates, ...range(lowestPort, lowestDynamicPort - 1)]) {
      if (this.#ports.has(port)) continue;
      this.#ports.add(port);
      return port;
    }
    return undefined;
  }

  /** Makes all addresses and ports free again. */
  clear(): void {
    this.#addresses.clear();
    this.#ports.clear();
  }

  /** Takes over what is already in use. */
  keep(addresses: readonly string[], ports: readonly number[]): void {
    for (const address of addresses) this.#addresses.add(address);
    for (const port of ports) this.#ports.add(port);
  }

  /** Makes addresses and ports free again. */
  release(addresses: readonly string[], ports: readonly number[]): void {
    for (const address of addresses) this.#addresses.delete(address);
    for (const port of ports) this.#ports.delete(port);
  }
}

/** Begins with any of the numbers: a freed one is rarely the next one again. */
function rotated(numbers: readonly number[], random: () => number): number[] {
  const start = Math.floor(random() * numbers.length);
  return [...numbers.slice(start), ...numbers.slice(0, start)];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
