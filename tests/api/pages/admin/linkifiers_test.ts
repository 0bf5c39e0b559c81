import assert from "node:assert/strict";
import { LIST, textOf, TICKET, valueOf, withPages } from "@/tests/casts/admin_linkifiers_cast.ts";

Deno.test("an empty list explains linkifiers and offers templates", () =>
  withPages(async ({ admin }) => {
    const { status, html } = await admin.get(LIST);
    assert.equal(status, 200);
    const text = textOf(html);
    assert.match(text, /There are no linkifiers yet\./);
    assert.match(html, /href="\/admin\/linkifiers\/new\?template=ticket"/);
    assert.doesNotMatch(html, /role="search"/);
  }));

Deno.test("the list shows each linkifier in order with the link of its example", () =>
  withPages(async ({ admin, add }) => {
    await add();
    await add({ pattern: "#(?P<id>\\d+)", example_input: "" });
    await add({ pattern: "zz(?P<id>\\d+)", example_input: "" });
    const { html } = await admin.get(LIST);
    const text = textOf(html);
    assert.match(
      text,
      /Linkifiers run from top to bottom\. If two match the same text, the first one wins\./,
    );
    assert.ok(text.indexOf("TKT-(?P<id>\\d+)") < text.indexOf("#(?P<id>\\d+)"));
    assert.match(
      html,
      /<a [^>]*href="https:\/\/x\.example\/1"[^>]*rel="noopener noreferrer nofollow"[^>]*>TKT-1<\/a>/,
    );
    // Without its own example, a linkifier shows one of the templates'.
    assert.match(html, /<a [^>]*href="https:\/\/x\.example\/123"[^>]*>#123<\/a>/);
    assert.match(text, /no example/);
  }));

Deno.test("the list names the earlier linkifier that matches another's example", () =>
  withPages(async ({ admin, add }) => {
    await add({ pattern: "[A-Z]+-(?P<id>\\d+)" });
    const id = await add();
    const sentence = "[A-Z]+-(?P<id>\\d+) comes first and matches this text.";
    assert.ok(textOf((await admin.get(LIST)).html).includes(sentence));
    await admin.post(LIST, { action: "move_up", id: String(id) });
    assert.ok(
      textOf((await admin.get(LIST)).html).includes("TKT-(?P<id>\\d+) comes first and matches this text."),
    );
  }));

Deno.test("a search matches patterns, templates and examples, and keeps the order", () =>
  withPages(async ({ admin, add }) => {
    await add();
    await add({ pattern: "#(?P<id>\\d+)", url_template: "https://code.example/{id}", example_input: "#5" });
    for (const [search, found] of [["CODE.example", "#("], ["tkt-1", "TKT-("]] as const) {
      const { html } = await admin.get(`${LIST}?q=${search}`);
      assert.match(textOf(html), /Show all linkifiers to change the order\..*1–1 of 1/s);
      assert.ok(textOf(html).includes(found));
      assert.doesNotMatch(html, /data-action="move_up"/);
    }
    const nothing = await admin.get(`${LIST}?q=%3Cb%3E`);
    assert.ok(textOf(nothing.html).includes("No matching linkifiers."));
    assert.doesNotMatch(nothing.html, /<b>/);
  }));

Deno.test("linkifiers are moved by buttons, to a position, and by a new order of those shown", () =>
  withPages(async ({ admin, add, patterns }) => {
    const [a, b, c] = [
      await add({ pattern: "a(?P<id>\\d)", example_input: "" }),
      await add({ pattern: "b(?P<id>\\d)", example_input: "" }),
      await add({ pattern: "c(?P<id>\\d)", example_input: "" }),
    ];
    const order = async () => (await patterns()).map((pattern) => pattern.charAt(0)).join("");
    const down = await admin.post(LIST, { action: "move_down", id: String(a) });
    assert.deepEqual([down.status, down.location, await order()], [303, LIST, "bac"]);
    assert.match(textOf((await admin.get(LIST)).html), /a\(\?P<id>\\d\) moved to position 2 of 3\./);
    await admin.post(LIST, { action: "move_up", id: String(c) });
    assert.equal(await order(), "bca");
    await admin.post(LIST, { action: "move_up", id: String(b) });
    assert.equal(await order(), "bca");
    await admin.post(LIST, { action: "reorder", order: `${a},${b},999`, id: String(a) });
    assert.equal(await order(), "acb");
    const moved = await admin.post(`${LIST}/${b}`, { action: "place", place: "1" });
    assert.deepEqual([moved.status, moved.location, await order()], [303, LIST, "bac"]);
    for (const place of ["0", "4", "x", ""]) {
      const refused = await admin.post(`${LIST}/${b}`, { action: "place", place });
      assert.equal(refused.status, 400);
      assert.match(textOf(refused.html), /Enter a whole number from 1 to 3\./);
    }
  }));

Deno.test("a script that reorders linkifiers receives the examples matched by others", () =>
  withPages(async ({ admin, add, chat }) => {
    const general = await add({ pattern: "[A-Z]+-(?P<id>\\d+)" });
    const ticket = await add();
    const answer = await chat.request(LIST, {
      method: "POST",
      headers: {
        accept: "application/json",
        origin: "http://localhost:8000",
        cookie: `sotto_session=${admin.token()}`,
      },
      body: new URLSearchParams({ action: "reorder", order: `${ticket},${general}`, id: String(ticket) }),
    });
    assert.deepEqual(await answer.json(), {
      flash: "TKT-(?P<id>\\d+) moved to position 1 of 2.",
      notes: { [ticket]: [], [general]: ["TKT-(?P<id>\\d+) comes first and matches this text."] },
    });
  }));

Deno.test("a template fills the form, and every template can be added unchanged", () =>
  withPages(async ({ admin, patterns }) => {
    const slugs = ["ticket", "issue", "repository", "commit", "documentation", "search"];
    for (const slug of slugs) {
      const { html } = await admin.get(`${LIST}/new?template=${slug}`);
      assert.match(
        html,
        new RegExp(`aria-current="true"[^>]*template=${slug}"|template=${slug}"[^>]*aria-current="true"`),
      );
      assert.match(textOf(html), /1 match\./);
      const alternatives = html.match(/<textarea[^>]*alternative_url_templates[^>]*>([^<]*)</)?.[1] ?? "";
      const fields = Object.fromEntries(
        ["pattern", "url_template", "example_input", "reverse_template"].map((
          name,
        ) => [name, valueOf(html, name)]),
      );
      const { status } = await admin.post(`${LIST}/new`, {
        action: "create",
        ...fields,
        alternative_url_templates: alternatives,
      });
      assert.equal(status, 303, slug);
    }
    assert.equal((await patterns()).length, slugs.length);
    assert.equal((await admin.get(`${LIST}/new?template=none`)).status, 200);
  }));

Deno.test("an export contains all linkifiers in order and is never cached", () =>
  withPages(async ({ admin, add }) => {
    await add({ alternative_url_templates: "https://old.example/{id}", reverse_template: "TKT-{id}" });
    const { status, headers, html } = await admin.post(LIST, { action: "export" });
    assert.equal(status, 200);
    assert.equal(headers.get("content-disposition"), 'attachment; filename="linkifiers.json"');
    assert.equal(headers.get("cache-control"), "no-store");
    assert.deepEqual(JSON.parse(html), {
      linkifiers: [{
        pattern: TICKET["pattern"],
        url_template: TICKET["url_template"],
        example_input: "TKT-1",
        reverse_template: "TKT-{id}",
        alternative_url_templates: ["https://old.example/{id}"],
      }],
    });
  }));
