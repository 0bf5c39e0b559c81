const MAX_BYTES = 1_000_000;

/** What files of text or CSV hold of addresses, a line each; null where they are too large or no text. */
export async function readDropped(files: FileList): Promise<string | null> {
  const all = [...files];
  if (all.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) return null;
  const texts = await Promise.all(all.map((file) => file.text().catch(() => "\0")));
  if (texts.some((text) => text.includes("\0"))) return null;
  // Titles of columns, names and numbers beside the addresses invite nobody.
  return texts.flatMap((text) => text.split(/[,;\t\r\n]+/)).map((cell) => cell.replace(/^"|"$/g, "").trim())
    .filter((cell) => cell.includes("@")).join("\n");
}
