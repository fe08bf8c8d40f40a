/**
 * A binary heap whose items contain their position, so that they can be moved or removed when their order changes. An
 * item is in a heap at most once.
 */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;
  readonly #position: PositionField<T>;

  /**
   * @param before whether the first item precedes the second
   * @param position the field of an item that contains its position in this heap, or -1 if it isn't in the heap
   */
  constructor(before: (a: T, b: T) => boolean, position: PositionField<T>) {
    this.#before = before;
    this.#position = position;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item, or moves it if its order has changed. */
  put(item: T): void {
    const index = this.#indexOf(item);
    if (index >= 0) this.#settle(item, index);
    else this.#siftUp(item, this.#items.length);
  }

  /** Removes an item. It does nothing if the item isn't in the heap. */
  remove(item: T): void {
    const index = this.#indexOf(item);
    if (index < 0) return;
    (item[this.#position] as number) = -1;
    const last = this.#items.pop()!;
    if (last !== item) this.#settle(last, index);
  }

  clear(): void {
    this.#items.length = 0;
  }

  #indexOf(item: T): number {
    return item[this.#position] as number;
  }

  #settle(item: T, index: number): void {
    if (index > 0 && this.#before(item, this.#items[(index - 1) >> 1]!)) this.#siftUp(item, index);
    else this.#siftDown(item, index);
  }

  #siftUp(item: T, from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#before(item, this.#items[parent]!)) break;
      this.#place(this.#items[parent]!, index);
      index = parent;
    }
    this.#place(item, index);
  }

  #siftDown(item: T, from: number): void {
    const items = this.#items;
    let index = from;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#before(items[child + 1]!, items[child]!)) child++;
      if (!this.#before(items[child]!, item)) break;
      this.#place(items[child]!, index);
      index = child;
    }
    this.#place(item, index);
  }

  #place(item: T, index: number): void {
    this.#items[index] = item;
    (item[this.#position] as number) = index;
  }
}

/** The fields of `T` that hold a number. */
type PositionField<T> = { [K in keyof T]: T[K] extends number ? K : never }[keyof T];
