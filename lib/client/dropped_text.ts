const MAX_BYTES = 1_000_000;

/**
 * Reads email addresses from text or CSV files, one per line; null for files that are too large or not text.
 */
export async function readDropped(files: FileList): Promise<string | null> {
  const all = [...files];
  if (all.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) return null;
  const texts = await Promise.all(all.map((file) => file.text().catch(() => "\0")));
  if (texts.some((text) => text.includes("\0"))) return null;
  // Column titles, names and numbers next to the addresses are dropped.
  return texts.flatMap((text) => text.split(/[,;\t\r\n]+/)).map((cell) => cell.replace(/^"|"$/g, "").trim())
    .filter((cell) => cell.includes("@")).join("\n");
}
