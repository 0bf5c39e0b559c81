import assert from "node:assert/strict";
import { compileLinkifier, type StoredLinkifier } from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import type { LinkifierFields, LinkifierRecord } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";

/** Parameters of a valid linkifier. */
export const TICKET: TestParams = { pattern: "TKT-(?P<id>\\d+)", url_template: "https://x.example/{id}" };

/** Creates a linkifier and returns its id. */
export async function createLinkifier(
  chat: TestChat,
  params: TestParams = {},
  user: TestUser = chat.admin,
): Promise<number> {
  const { status, body } = await chat.call(user, "POST /realm/filters", { ...TICKET, ...params });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Lists the linkifiers that a user sees. */
export async function listLinkifiers(chat: TestChat, user: TestUser = chat.guest) {
  const { status, body } = await chat.call(user, "GET /realm/linkifiers");
  assert.equal(status, 200);
  return body.linkifiers;
}

/** Returns linkifier fields with defaults. */
export function linkifierFields(
  pattern: string,
  url_template = "https://x.example/",
  more: Partial<LinkifierFields> = {},
): LinkifierFields {
  return {
    pattern,
    url_template,
    example_input: null,
    reverse_template: null,
    alternative_url_templates: [],
    ...more,
  };
}

/** Returns the record of a linkifier that links to a host named after its id. */
export function linkifierRecord(
  id: number,
  pattern: string,
  example_input: string | null = null,
): LinkifierRecord {
  return { id, ...linkifierFields(pattern, `https://x${id}.example/{n}`, { example_input }) };
}

/** Compiles linkifiers. */
export function storedLinkifiers(...records: readonly LinkifierRecord[]): StoredLinkifier[] {
  return records.map((record) => {
    const compiled = compileLinkifier(record);
    assert.ok(compiled !== null);
    return { ...compiled, record };
  });
}
