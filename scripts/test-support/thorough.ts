/**
 * Whether this is a full run, which tries all variants and repeats more: `npm run test:full` sets `KUBEWRIGHT_FUZZ`. `npm test`
 * must stay under eight minutes on two cores, so it tries some variants of each kind.
 */
export const thorough: boolean = Boolean(process.env.KUBEWRIGHT_FUZZ);

/** Returns all variants in full runs, and `count` of them at equal distances in others. */
export function sample<T>(all: readonly T[], count: number): readonly T[] {
  const distance = Math.max(1, all.length / count);
  return thorough ? all : all.filter((_, index) => Math.floor(index / distance) !== Math.floor((index - 1) / distance));
}

/** Returns all variants in full runs, and the first `count` of them in others. */
export function variants<T>(all: readonly T[], count: number): readonly T[] {
  return thorough ? all : all.slice(0, count);
}
