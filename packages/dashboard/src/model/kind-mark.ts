/** Returns up to three capital letters for a kind, such as `RS` for `ReplicaSet` and `DE` for `Deployment`. */
export function kindMark(kind: string): string {
  const capitals = kind.replace(/[^A-Z]/g, "");
  return (capitals.length > 1 ? capitals.slice(0, 3) : kind.slice(0, 2)).toUpperCase();
}
