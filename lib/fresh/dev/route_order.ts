/** Orders route files: at each level the index, then plain names, then parameters, then rests; groups do not count. */
export function compareRouteIds(a: string, b: string): number {
  const partsA = partsOf(a);
  const partsB = partsOf(b);
  for (let i = 0; i < Math.max(partsA.length, partsB.length); i++) {
    const difference = compareParts(partsA[i], partsB[i]);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

function partsOf(id: string): string[] {
  const parts = id.split("/").filter((part) => !part.startsWith("("));
  return parts.at(-1) === "index" ? parts.slice(0, -1) : parts;
}

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) {
    return a === b ? 0 : a === undefined ? -1 : 1;
  }
  const byRank = rank(a) - rank(b);
  if (byRank !== 0) return byRank;
  return a === b ? 0 : a < b ? -1 : 1;
}

function rank(part: string): number {
  if (part.startsWith("[...")) return 4;
  if (part.startsWith("[[")) return 3;
  if (!part.includes("[")) return 0;
  return /^\[[^\]]+\]$/.test(part) ? 2 : 1;
}
