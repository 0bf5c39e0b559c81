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
  // A day that the month lacks is read as one of the next month.
  const local = Date.parse(`${date}T${clock}Z`);
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(`${date}T${clock}`)) return null;
  const offset = zone.replace(/^(.\d\d)(\d\d)$/, "$1:$2");
  return Math.floor(Date.parse(`${date}T${clock}:${second}${offset}`) / 1000);
}
