import { createTimestamper } from "@/lib/core/timestamp.ts";

/** Formats times as comma-separated JSON strings: `"2026-11-21T11:00:00.000Z","…"`. */
export function toTimestamps(times: Float64Array): string {
  const timestamp = createTimestamper();
  let text = "";
  for (const time of times) text += `${text === "" ? "" : ","}"${timestamp(time)}"`;
  return text;
}
