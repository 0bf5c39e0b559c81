import type { AuditDetail, AuditDetails } from "./change.ts";

/** Texts are cut to so many code points. */
const MAX_TEXT = 200;
/** Details of one change at most. */
const MAX_DETAILS = 40;
/** Of what is called so, the value is never kept. */
const SECRET = /password|token|api_key|secret|hash|welcome|email_address/;

/** The members in which two records differ, as they were and as they are. */
export function differencesOf<T extends object>(
  before: T,
  after: T,
  names: readonly (keyof T & string)[],
): AuditDetails {
  return Object.fromEntries(
    names.map((name): [string, AuditDetail] => [name, [toText(before[name]), toText(after[name])]])
      .filter(([, [from, to]]) => from !== to),
  );
}

/** Details as they are kept: few, short, and no secret among them. */
export function bounded(details: AuditDetails): AuditDetails {
  return Object.fromEntries(
    Object.entries(details).slice(0, MAX_DETAILS).map((
      [name, detail],
    ) => [name, boundedDetail(name, detail)]),
  );
}

/** A text of at most 200 code points. */
export function shortText(text: string): string {
  const points = [...text.slice(0, 4 * MAX_TEXT)];
  return points.length <= MAX_TEXT ? text : `${points.slice(0, MAX_TEXT - 1).join("")}…`;
}

function boundedDetail(name: string, detail: AuditDetail): AuditDetail {
  if (SECRET.test(name)) return "";
  return typeof detail === "string" ? shortText(detail) : [shortText(detail[0]), shortText(detail[1])];
}

/** A value as it is written down: texts and numbers plainly, nothing as nothing, all else as JSON. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}
