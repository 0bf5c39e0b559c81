import assert from "node:assert/strict";
import { renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { CONTEXT, renderHtml } from "@/tests/casts/rendering_cast.ts";

function mentionsOf(content: string) {
  const { mentioned_user_ids, mentioned_group_ids, wildcard } = renderMessage(content, CONTEXT);
  return { users: mentioned_user_ids, groups: mentioned_group_ids, ...wildcard };
}
const NONE = { users: [], groups: [], stream: false, topic: false };

Deno.test("renderMessage() shows mentions of users by name, by name and id, by id", () => {
  assert.equal(
    renderHtml("@**Ann Lee** @**Ann Lee|8** @**|9**"),
    '<p><span class="user-mention" data-user-id="7">@Ann Lee</span> ' +
      '<span class="user-mention" data-user-id="8">@Ann Lee</span> ' +
      '<span class="user-mention" data-user-id="9">@&lt;b&gt;Bo&lt;/b&gt;</span></p>',
  );
  assert.deepEqual(mentionsOf("@**Ann Lee** @**Ann Lee|8** @**|9** @**Ann Lee**"), {
    ...NONE,
    users: [7, 8, 9],
  });
});

Deno.test("renderMessage() leaves unresolved mentions as text", () => {
  assert.equal(
    renderHtml("@**Zed** @**Ann Lee|9** @*zed*"),
    "<p>@<strong>Zed</strong> @<strong>Ann Lee|9</strong> @<em>zed</em></p>",
  );
  assert.deepEqual(mentionsOf("@**Zed** @**Ann Lee|9** @*zed*"), NONE);
});

Deno.test("renderMessage() shows mentions of groups and wildcards", () => {
  assert.equal(
    renderHtml("@*devs* @**all** @**topic**"),
    '<p><span class="user-group-mention" data-user-group-id="3">@devs</span> ' +
      '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span> ' +
      '<span class="topic-mention">@topic</span></p>',
  );
  for (const name of ["all", "everyone", "channel", "stream"]) {
    assert.deepEqual(mentionsOf(`@**${name}**`), { ...NONE, stream: true });
  }
  assert.deepEqual(mentionsOf("@**topic** @*devs*"), { ...NONE, topic: true, groups: [3] });
});

Deno.test("renderMessage() does not count silent mentions", () => {
  assert.equal(
    renderHtml("@_**Ann Lee|7** @_*devs* @_**all**"),
    '<p><span class="user-mention silent" data-user-id="7">Ann Lee</span> ' +
      '<span class="user-group-mention silent" data-user-group-id="3">devs</span> ' +
      '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span></p>',
  );
  assert.deepEqual(mentionsOf("@_**Ann Lee|7** @_*devs* @_**all** @_**topic**"), NONE);
});

Deno.test("renderMessage() makes only mentions in quotes silent", () => {
  const every = "@**Ann Lee** @*devs* @**all** @**topic**";
  assert.deepEqual(mentionsOf(`> ${every}`), NONE);
  assert.deepEqual(mentionsOf("```quote\n" + every + "\n```"), NONE);
  assert.deepEqual(mentionsOf(`> ${every}\n\n@**|9**`), { ...NONE, users: [9] });
  assert.match(renderHtml("> @**|7**"), /class="user-mention silent" data-user-id="7">Ann Lee</);
});

Deno.test("renderMessage() ignores mentions in code, after a backslash or within a word", () => {
  for (
    const text of ["`@**|7**`", "```\n@**|7**\n```", "    @**|7**", "\\@**|7**", "x@**|7**", "$$@**|7**$$"]
  ) {
    assert.deepEqual(mentionsOf(text), NONE, text);
  }
  assert.deepEqual(mentionsOf('(@**|7**) "@**|8**"'), { ...NONE, users: [7, 8] });
});

Deno.test("renderMessage() finds mentions in spoilers, lists, links and tables", () => {
  for (
    const text of [
      "```spoiler a\n@**|7**\n```",
      "```spoiler @**|7**\n```",
      "- @**|7**",
      "[@**|7**](/a)",
      "|a|\n|-|\n|@**\\|7**|",
    ]
  ) {
    assert.deepEqual(mentionsOf(text), { ...NONE, users: [7] }, text);
  }
});
