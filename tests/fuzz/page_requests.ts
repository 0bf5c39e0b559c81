import fc from "@/tests/helpers/fast_check.ts";
import { hostileHeaders } from "./hostile_parts.ts";
import { toBody } from "./encodings.ts";
import { kindOf, placeholder } from "./known_ids.ts";
import { type CallerName, type FuzzRequest, type Header, toRequest } from "./request.ts";
import { hostileText, hugeText } from "./values.ts";

/** A form of a page. */
export interface PageForm {
  readonly action: string;
  readonly isMultipart: boolean;
  readonly fields: readonly FormField[];
}

/** A field of a form. */
export interface FormField {
  readonly name: string;
  /** Its values: the preset one, or those to choose from. */
  readonly values: readonly string[];
}

/** Values for a form that is chosen when the request is sent. */
export interface FormPlan {
  /** Number of the form among those of the pages. */
  readonly form: number;
  readonly caller: CallerName;
  /** Fields with other values than the preset ones, by number. */
  readonly changes: readonly (readonly [field: number, change: Change])[];
  readonly headers: readonly Header[];
}

/** Change of one field: another text, the id of a record, one of its own values, nothing, or two values. */
export type Change =
  | { readonly text: string }
  | { readonly record: number }
  | { readonly choice: number }
  | { readonly isLeftOut: true }
  | { readonly twice: string };

/** Returns forms of pages, most of them sent as browsers send them. */
export function formPlans(): fc.Arbitrary<FormPlan> {
  const change: fc.Arbitrary<Change> = fc.oneof(
    { weight: 4, arbitrary: hostileText().map((text) => ({ text })) },
    { weight: 1, arbitrary: hugeText().map((text) => ({ text })) },
    { weight: 4, arbitrary: fc.nat(25).map((record) => ({ record })) },
    { weight: 4, arbitrary: fc.nat(25).map((choice) => ({ choice })) },
    { weight: 1, arbitrary: fc.constant({ isLeftOut: true } as const) },
    { weight: 1, arbitrary: hostileText().map((twice) => ({ twice })) },
  );
  const headers = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Header[]>([["accept", "text/html"]]) },
    { weight: 4, arbitrary: fc.constant<Header[]>([["accept", "application/json"]]) },
    { weight: 1, arbitrary: hostileHeaders() },
  );
  return fc.record({
    form: fc.nat(10_000),
    caller: fc.constantFrom<CallerName>(
      "owner_session",
      "owner_session",
      "admin_session",
      "member_session",
      "nobody",
    ),
    changes: fc.array(fc.tuple(fc.nat(60), change), { maxLength: 5 }),
    headers,
  });
}

/** Fills one of the forms of the pages. */
export function fillForm(
  { form, caller, changes, headers }: FormPlan,
  forms: readonly PageForm[],
): FuzzRequest {
  const { action, fields, isMultipart } = forms[form % Math.max(1, forms.length)] ??
    { action: "/login", fields: [], isMultipart: false };
  const byField = new Map(changes.map(([at, change]) => [at % Math.max(1, fields.length), change]));
  const pairs = fields.flatMap(({ name, values }, at): (readonly [string, string])[] => {
    const change = byField.get(at);
    const preset = values[0] ?? "";
    if (change === undefined) return [[name, preset]];
    if ("text" in change) return [[name, change.text]];
    if ("choice" in change) return [[name, values[change.choice % Math.max(1, values.length)] ?? ""]];
    if ("record" in change) return [[name, String(placeholder(kindOf(name) ?? "channel", change.record))]];
    if ("twice" in change) return [[name, preset], [name, change.twice]];
    return [];
  });
  const content = toBody(pairs, isMultipart ? "multipart" : "urlencoded");
  return toRequest({
    caller,
    method: "POST",
    target: action,
    headers: [...content.headers, ["sec-fetch-site", "same-origin"], ...headers],
    body: content.body,
  });
}

/** Returns the forms of a page that are sent with POST; `path` is that of the page. */
export function readForms(html: string, path: string): PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, head = "", content = ""]) => {
    if (attribute(head, "method")?.toLowerCase() !== "post") return [];
    const isMultipart = attribute(head, "enctype") === "multipart/form-data";
    const { pathname, search } = new URL(attribute(head, "action") ?? "", `http://localhost${path}`);
    return [{ action: pathname + search, isMultipart, fields: readFields(content) }];
  });
}

function readFields(html: string): FormField[] {
  const fields = new Map<string, string[]>();
  for (
    const [, tag = "", attributes = "", rest = ""] of html.matchAll(
      /<(input|select|textarea|button)\b([^>]*)>([^<]*)/g,
    )
  ) {
    const name = attribute(attributes, "name");
    if (name === null) continue;
    const value = tag === "textarea" ? unescapeHtml(rest) : attribute(attributes, "value") ?? "";
    fields.set(name, [...fields.get(name) ?? [], ...(tag === "select" ? [] : [value])]);
  }
  for (const [, attributes = "", content = ""] of html.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
    const values = [...content.matchAll(/<option\b([^>]*)>/g)].map(([, option = ""]) =>
      attribute(option, "value") ?? ""
    );
    fields.set(attribute(attributes, "name") ?? "", values);
  }
  return [...fields].map(([name, values]) => ({ name, values }));
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? null : unescapeHtml(value);
}

function unescapeHtml(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll(
    "&gt;",
    ">",
  )
    .replaceAll("&amp;", "&");
}
