import assert from "node:assert/strict";
import { type PageVisitor, signIn, withoutScripts } from "@/tests/helpers/pages.ts";
import { listLinkifiers } from "@/tests/casts/linkifiers_cast.ts";
import {
  type FormValues,
  LIST,
  textOf,
  TICKET,
  valueOf,
  withPages,
} from "@/tests/casts/admin_linkifiers_cast.ts";

const NEW = `${LIST}/new`;

/** Sends the form of a new linkifier. */
function create(visitor: PageVisitor, fields: FormValues) {
  return visitor.post(NEW, { action: "create", ...TICKET, ...fields });
}

/** Returns the problem that the page shows at a field. */
function problemOf(html: string, field: string): string {
  return html.match(new RegExp(`id="${field}-problem"[^>]*>([^<]*)<`))?.[1]?.replaceAll("&#39;", "'") ?? "";
}

Deno.test("the forms that add linkifiers lead back to the list", () =>
  withPages(async ({ admin }) => {
    for (const path of [NEW, `${LIST}/import`]) {
      const { html } = await admin.get(path);
      assert.match(html, /<a (?=[^>]*data-cancel)[^>]*href="\/admin\/linkifiers"[^>]*>Cancel</, path);
    }
  }));

Deno.test("a new linkifier is reported, takes effect, and can be edited from its stored values", () =>
  withPages(async ({ admin, chat, add }) => {
    const id = await add({
      pattern: "  TKT-(?<id>\\d+) ",
      reverse_template: "TKT-{id}",
      alternative_url_templates: "https://a.example/{id}\r\n\r\n https://b.example/{id} ",
    });
    assert.ok(
      textOf((await admin.get(LIST)).html).includes("Linkifier TKT-(?<id>\\d+) added."),
    );
    const [stored] = await listLinkifiers(chat);
    assert.deepEqual(stored, {
      id,
      pattern: "TKT-(?<id>\\d+)",
      url_template: "https://x.example/{id}",
      example_input: "TKT-1",
      reverse_template: "TKT-{id}",
      alternative_url_templates: ["https://a.example/{id}", "https://b.example/{id}"],
    });
    const { html } = await admin.get(`${LIST}/${id}`);
    assert.equal(valueOf(html, "pattern"), "TKT-(?<id>\\d+)");
    assert.match(html, />https:\/\/a\.example\/\{id\}\nhttps:\/\/b\.example\/\{id\}<\/textarea>/);
    const saved = await admin.post(`${LIST}/${id}`, {
      ...TICKET,
      action: "save",
      seen: valueOf(html, "seen"),
      pattern: "T-(?P<id>\\d+)",
      example_input: "",
    });
    assert.deepEqual([saved.status, saved.location], [303, LIST]);
    assert.deepEqual(await listLinkifiers(chat), [{
      id,
      pattern: "T-(?P<id>\\d+)",
      url_template: "https://x.example/{id}",
      example_input: null,
      reverse_template: null,
      alternative_url_templates: [],
    }]);
  }));

Deno.test("server errors appear at the linkifier's field, and input is kept", () =>
  withPages(async ({ admin, add, chat }) => {
    await add();
    const cases: readonly [FormValues, field: string, problem: RegExp][] = [
      [{ pattern: "" }, "pattern", /^This field cannot be blank\.$/],
      [{ pattern: "(?P<id>\\d+" }, "pattern", /^Bad regular expression: missing closing \)/],
      [{ url_template: "" }, "url_template", /^This field cannot be blank\.$/],
      [{ url_template: "https://x.example/{id" }, "url_template", /^Invalid URL template\.$/],
      [{ alternative_url_templates: "https://x.example/{" }, "alternative_url_templates", /^Invalid URL/],
      [{ reverse_template: "{id" }, "reverse_template", /^Invalid auto-conversion field: missing/],
      [{ pattern: "x".repeat(1003) }, "pattern", /^3 characters over the limit$/],
      [{ example_input: "x".repeat(2001) }, "example_input", /^1 character over the limit$/],
      [
        { alternative_url_templates: "a\n".repeat(21) },
        "alternative_url_templates",
        /^Enter no more than 20 lines\.$/,
      ],
      [
        { alternative_url_templates: `a\n${"b".repeat(2001)}` },
        "alternative_url_templates",
        /^Line 2 is too/,
      ],
    ];
    for (const [fields, field, problem] of cases) {
      const { status, html } = await create(admin, {
        pattern: "(?P<id>\\d+)!",
        example_input: "7!",
        ...fields,
      });
      assert.equal(status, 400);
      assert.match(problemOf(html, field), problem, JSON.stringify(fields).slice(0, 80));
      if (fields["pattern"] !== undefined) assert.equal(valueOf(html, "pattern"), fields["pattern"]);
    }
    assert.equal((await listLinkifiers(chat)).length, 1);
  }));

Deno.test("problems between fields of a linkifier appear above the form", () =>
  withPages(async ({ admin, add }) => {
    await add();
    const cases: readonly [FormValues, string][] = [
      [{}, "Realm filter with this Realm and Pattern already exists."],
      [
        { url_template: "https://x.example/{no}" },
        "Group 'no' in URL template is not present in linkifier pattern.",
      ],
      [
        { url_template: "https://x.example/" },
        "Group 'id' in linkifier pattern is not present in URL template.",
      ],
      [{ example_input: "none" }, "Example input does not match the linkifier pattern."],
      [
        { example_input: "", reverse_template: "T{id}" },
        "Example text must be set when auto-conversion field is set.",
      ],
      [{ reverse_template: "T{id}" }, "Example text does not match auto-conversion field."],
    ];
    for (const [fields, sentence] of cases) {
      const { status, html } = await create(admin, fields);
      assert.equal(status, 400);
      assert.ok(textOf(html).includes(sentence), sentence);
    }
  }));

Deno.test("the second of two users who edit a linkifier gets a conflict and keeps what they typed", () =>
  withPages(async ({ admin, chat, add }) => {
    const id = await add();
    const owner = await signIn(chat, chat.owner);
    const page = `${LIST}/${id}`;
    const [first, second] = [await admin.get(page), await owner.get(page)];
    const edit = { ...TICKET, action: "save" };
    await admin.post(page, {
      ...edit,
      seen: valueOf(first.html, "seen"),
      url_template: "https://a.example/{id}",
    });
    const mine = { ...edit, url_template: "https://b.example/{id}" };
    const refused = await owner.post(page, { ...mine, seen: valueOf(second.html, "seen") });
    assert.equal(refused.status, 400);
    assert.match(textOf(refused.html), /Someone else changed this while you were editing\./);
    assert.equal(valueOf(refused.html, "url_template"), "https://b.example/{id}");
    // A preview without JavaScript escapes it, too.
    const tried = await owner.get(
      `${page}?${new URLSearchParams({ ...mine, action: "preview", seen: "old" })}`,
    );
    assert.equal((await owner.post(page, { ...mine, seen: valueOf(tried.html, "seen") })).status, 400);
    assert.equal((await owner.post(page, { ...mine, seen: valueOf(refused.html, "seen") })).status, 303);
    assert.equal((await listLinkifiers(chat))[0].url_template, "https://b.example/{id}");
  }));

Deno.test("deleting a linkifier asks for confirmation by name, and refuses if it changed meanwhile", () =>
  withPages(async ({ admin, chat, add }) => {
    const id = await add();
    const page = `${LIST}/${id}/delete`;
    const asked = await admin.get(page);
    assert.match(
      textOf(asked.html),
      /Delete this linkifier\?HelpTKT-.*Links in existing messages are kept.*This cannot be undone\./,
    );
    const changes = { url_template: "https://a.example/{id}", pattern: TICKET["pattern"] };
    assert.equal((await chat.call(chat.owner, `PATCH /realm/filters/${id}`, changes)).status, 200);
    const refused = await admin.post(page, { action: "delete", seen: valueOf(asked.html, "seen") });
    assert.equal(refused.status, 400);
    assert.match(textOf(refused.html), /https:\/\/a\.example\/\{id\}/);
    const done = await admin.post(page, { action: "delete", seen: valueOf(refused.html, "seen") });
    assert.deepEqual([done.status, done.location], [303, LIST]);
    assert.ok(textOf((await admin.get(LIST)).html).includes("Linkifier TKT-(?P<id>\\d+) deleted."));
    assert.deepEqual(await listLinkifiers(chat), []);
    for (const gone of [page, `${LIST}/${id}`, `${LIST}/x`]) {
      assert.equal((await admin.get(gone)).status, 404, gone);
    }
  }));

Deno.test("a linkifier's pattern, template and example are always escaped", () =>
  withPages(async ({ admin, add }) => {
    const evil = `<img src=x>"'&`;
    const id = await add({
      pattern: `(?P<id>\\d+)${evil}`,
      url_template: `https://x.example/{id}${evil}`,
      example_input: `5${evil}`,
    });
    const query = new URLSearchParams({
      ...TICKET,
      action: "preview",
      sample: `TKT-1 ${evil}`,
      address: evil,
    });
    for (
      const path of [
        LIST,
        `${LIST}?q=%3Cimg`,
        `${LIST}/${id}`,
        `${LIST}/${id}/delete`,
        `${NEW}?${query}`,
      ]
    ) {
      const { status, html } = await admin.get(path);
      assert.equal(status, 200);
      assert.doesNotMatch(withoutScripts(html), /<img/, path);
    }
  }));
