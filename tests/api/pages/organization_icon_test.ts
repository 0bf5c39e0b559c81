import assert from "node:assert/strict";
import { createLink, startMailingChat } from "@/tests/casts/join_cast.ts";
import { file, PNG, postFiles } from "@/tests/casts/pictures_cast.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

Deno.test("pages of an organization show its icon beside its name, with its size", async () => {
  await using chat = await startMailingChat();
  const { path } = await createLink(chat, { role: 400 });
  const owner = await signIn(chat, chat.owner);
  const pages = [
    ...["/admin", "/admin/users", "/account", "/connect"].map((path) => ({ visitor: owner, path })),
    ...["/login", path].map((path) => ({ visitor: visitPages(chat), path })),
  ];
  const icons = async () =>
    await Promise.all(pages.map(async ({ visitor, path }) => {
      const { html } = await visitor.get(path);
      return [...html.matchAll(/<img [^>]*alt="Icon of Gardeners"[^>]*>/g)].map(([picture]) => picture);
    }));
  assert.deepEqual(await icons(), pages.map(() => []));

  const { body } = await postFiles(chat, chat.admin, "/realm/icon", [file(PNG)]);
  const { pathname } = new URL(body.icon_url);
  for (const [at, shown] of (await icons()).entries()) {
    assert.notEqual(shown.length, 0, pages[at]?.path ?? "");
    for (const picture of shown) {
      assert.ok(picture.includes(`src="${pathname}`), picture);
      assert.match(picture, /width="(\d+)" height="\1"/);
    }
  }
  await chat.call(chat.owner, "DELETE /realm/icon");
  assert.deepEqual(await icons(), pages.map(() => []));
});
