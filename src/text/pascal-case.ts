/** Converts a name to PascalCase: `kinds-that-look-alike` → `KindsThatLookAlike`. Dots separate words too. */
export function pascalCase(name: string): string {
  return name
    .split(/[-_.]/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
}
