const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)? ?(Z|[+-]\d\d:?\d\d)?$/;

/** The moment that a text names, as ISO 8601 in UTC to the second; null for what is no moment; no zone means UTC. */
export function readTime(text: string): string | null {
  const seconds = /^\d{1,11}$/.test(text) ? Number(text) : isoSeconds(text);
  if (seconds === null || !Number.isFinite(seconds)) return null;
  const iso = new Date(seconds * 1000).toISOString();
  return /^\d{4}-/.test(iso) ? iso.replace(/\.\d+Z$/, "Z") : null;
}

function isoSeconds(text: string): number | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, date, clock = "00:00", second = "00", zone = "Z"] = match;
  const offset = zone.replace(/^(.\d\d)(\d\d)$/, "$1:$2");
  return Math.floor(Date.parse(`${date}T${clock}:${second}${offset}`) / 1000);
}
