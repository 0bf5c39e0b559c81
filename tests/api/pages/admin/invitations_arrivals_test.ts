import assert from "node:assert/strict";
import { createLink, invite, JOIN_FORM } from "@/tests/casts/join_cast.ts";
import { PAGE } from "@/tests/casts/admin_invitations_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

Deno.test("the page of a link waits for the first person, then names who joined by it and leads on", async () => {
  await using chat = await startChat();
  const { id } = await createLink(chat);
  const other = await createLink(chat);
  const visitor = await signIn(chat, chat.admin);
  const shown = async (link: number) => (await visitor.get(`${PAGE}/link/${link}`)).html;
  assert.match(await shown(id), /Waiting for the first person/);
  const join = async (email: string, linkId: number, name: string) => {
    const { path } = await invite(chat, {}, { email, via_link_id: linkId });
    const { status } = await visitPages(chat).post(path, { ...JOIN_FORM, full_name: name });
    assert.equal(status, 303);
  };
  await join("noor@example.org", id, "Noor Lake");
  await join("ines@example.org", other.id, "Ines Hill");
  await join("jun@example.org", id, "Jun Reed");
  const html = await shown(id);
  assert.doesNotMatch(html, /Waiting for the first person|Ines Hill/);
  assert.match(html, /href="\/connect"/);
  const names = [...html.matchAll(/href="\/admin\/users\/\d+">([^<>]+) joined</g)].map(([, name]) => name);
  assert.deepEqual(names.sort(), ["Jun Reed", "Noor Lake"]);
});
