import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";
import { linkifiersOf } from "@/tests/api/chat/linkifiers_cast.ts";

/** The list of linkifiers. */
export const LIST = "/admin/linkifiers";

/** A form as a browser sends it. */
export type Sent = Readonly<Record<string, string>>;

/** A good linkifier as its form holds it. */
export const TICKET: Sent = {
  pattern: "TKT-(?P<id>\\d+)",
  url_template: "https://x.example/{id}",
  example_input: "TKT-1",
  reverse_template: "",
  alternative_url_templates: "",
  sample: "",
  address: "",
};

/** An organization, and browsers of its people. */
export interface LinkifierPages {
  readonly chat: TestChat;
  /** An administrator's browser. */
  readonly admin: PageVisitor;
  /** Adds a linkifier by the form, and gives its id. */
  add(fields?: Sent): Promise<number>;
  /** The patterns in their order, as the API has them. */
  patterns(): Promise<readonly string[]>;
}

/** Runs a test with the pages of a new organization. */
export async function withPages(test: (pages: LinkifierPages) => Promise<void>): Promise<void> {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const patterns = async () => (await linkifiersOf(chat)).map(({ pattern }: { pattern: string }) => pattern);
  const add = async (fields: Sent = {}) => {
    const { status, location, html } = await admin.post(`${LIST}/new`, {
      action: "create",
      ...TICKET,
      ...fields,
    });
    assert.deepEqual([status, location], [303, LIST], html.match(/role="alert"[^<]*<?[^<]*/)?.[0] ?? "");
    return (await linkifiersOf(chat)).at(-1).id;
  };
  await test({ chat, admin, add, patterns });
}

/** The value of a form's field, as a page shows it. */
export function valueOf(html: string, name: string): string {
  const attributes = '(?:[^>"]|"[^"]*")*';
  const tag = html.match(new RegExp(`<input${attributes} name="${name}"${attributes}>`))?.[0] ?? "";
  return toText(tag.match(/ value="([^"]*)"/)?.[1] ?? "");
}

/** A page's text, without its marks. */
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
