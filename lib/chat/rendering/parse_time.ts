import { parseUtc } from "@/lib/core/days.ts";

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)? ?(Z|[+-]\d\d:?\d\d)?$/;

/** Parses a time to ISO 8601 in UTC, to the second; null when invalid. Without a zone, UTC is assumed. */
export function parseTime(text: string): string | null {
  const seconds = /^\d{1,11}$/.test(text) ? Number(text) : parseIsoSeconds(text);
  if (seconds === null || !Number.isFinite(seconds)) return null;
  const iso = new Date(seconds * 1000).toISOString();
  return /^\d{4}-/.test(iso) ? iso.replace(/\.\d+Z$/, "Z") : null;
}

function parseIsoSeconds(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, date, clock = "00:00", second = "00", zone = "Z"] = match;
  if (Number.isNaN(parseUtc(`${date}T${clock}:${second}`))) return null;
  const offset = zone.replace(/^(.\d\d)(\d\d)$/, "$1:$2");
  return Math.floor(Date.parse(`${date}T${clock}:${second}${offset}`) / 1000);
}
