import assert from "node:assert/strict";
import { type Person, type Sent, type TestChat } from "@/tests/helpers/chat.ts";

/** A good linkifier. */
export const TICKET: Sent = { pattern: "TKT-(?P<id>\\d+)", url_template: "https://x.example/{id}" };

/** Adds a linkifier and gives its id. */
export async function addLinkifier(chat: TestChat, of: Sent = {}, who: Person = chat.admin): Promise<number> {
  const { status, body } = await chat.call(who, "POST /realm/filters", { ...TICKET, ...of });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** The linkifiers as somebody is given them. */
export async function linkifiersOf(chat: TestChat, who: Person = chat.guest) {
  const { status, body } = await chat.call(who, "GET /realm/linkifiers");
  assert.equal(status, 200);
  return body.linkifiers;
}
