import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";
import { listLinkifiers } from "@/tests/casts/linkifiers_cast.ts";

/** Path of the linkifier list. */
export const LIST = "/admin/linkifiers";

/** Fields of a form as a browser sends them. */
export type FormValues = Readonly<Record<string, string>>;

/** Fields of a valid linkifier. */
export const TICKET: FormValues = {
  pattern: "TKT-(?P<id>\\d+)",
  url_template: "https://x.example/{id}",
  example_input: "TKT-1",
  reverse_template: "",
  alternative_url_templates: "",
  sample: "",
  address: "",
};

/** An organization, and browsers of its users. */
export interface LinkifierPages {
  readonly chat: TestChat;
  /** Browser of the administrator. */
  readonly admin: PageVisitor;
  /** Adds a linkifier through the form and returns its id. */
  add(fields?: FormValues): Promise<number>;
  /** Returns the patterns in the order of the API. */
  patterns(): Promise<readonly string[]>;
}

/** Runs a test with the pages of a new organization. */
export async function withPages(test: (pages: LinkifierPages) => Promise<void>): Promise<void> {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const patterns = async () =>
    (await listLinkifiers(chat)).map(({ pattern }: { pattern: string }) => pattern);
  const add = async (fields: FormValues = {}) => {
    const { status, location, html } = await admin.post(`${LIST}/new`, {
      action: "create",
      ...TICKET,
      ...fields,
    });
    assert.deepEqual([status, location], [303, LIST], html.match(/role="alert"[^<]*<?[^<]*/)?.[0] ?? "");
    return (await listLinkifiers(chat)).at(-1).id;
  };
  await test({ chat, admin, add, patterns });
}

/** Returns the value of a form field on a page. */
export function valueOf(html: string, name: string): string {
  const attributes = '(?:[^>"]|"[^"]*")*';
  const tag = html.match(new RegExp(`<input${attributes} name="${name}"${attributes}>`))?.[0] ?? "";
  return toText(tag.match(/ value="([^"]*)"/)?.[1] ?? "");
}

/** Returns a page's text, without marks. */
export function textOf(html: string): string {
  const body = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  return toText(body.replace(/<(?:[^>"]|"[^"]*")*>/g, ""));
}

function toText(html: string): string {
  return html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&#39;", "'").replaceAll(
    "&quot;",
    '"',
  )
    .replaceAll("&amp;", "&");
}
