const SECOND_MS = 1000;

/** Times as JSON strings with commas between: `"2026-11-21T11:00:00.000Z","…"`. */
export function toTimestamps(times: Float64Array): string {
  let text = "";
  let second = NaN;
  let prefix = "";
  for (const time of times) {
    const current = Math.floor(time / SECOND_MS);
    if (current !== second) {
      second = current;
      // Visits come in bursts, so most share their date and second with the one in front.
      prefix = `"${new Date(current * SECOND_MS).toISOString().slice(0, -4)}`;
    }
    const ms = time - current * SECOND_MS;
    text += (text === "" ? "" : ",") + prefix + String(ms).padStart(3, "0") + 'Z"';
  }
  return text;
}
