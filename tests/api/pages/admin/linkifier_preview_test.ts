import assert from "node:assert/strict";
import {
  type FormValues,
  type LinkifierPages,
  LIST,
  textOf,
  TICKET,
  valueOf,
  withPages,
} from "@/tests/casts/admin_linkifiers_cast.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

const NEW = `${LIST}/new`;

/** A preview that a script gets. */
interface Preview {
  readonly html: string;
  readonly text: string;
  /** Links in the message: their texts, addresses, and whether the linkifier under test makes them. */
  readonly links: readonly (readonly [text: string, url: string, isTried: boolean])[];
  readonly problems: readonly string[];
}

const plain = (html: string) => textOf(`<main>${html}</main>`);

/** Requests a preview of a linkifier as a script. */
async function preview({ chat, admin }: LinkifierPages, fields: FormValues, path = NEW): Promise<Preview> {
  const answer = await chat.request(path, {
    method: "POST",
    headers: {
      accept: "application/json",
      origin: "http://localhost:8000",
      cookie: `sotto_session=${admin.token()}`,
    },
    body: new URLSearchParams({ action: "preview", ...TICKET, ...fields }),
  });
  assert.equal(answer.status, 200);
  const html: string = (await answer.json()).html;
  const links = html.matchAll(/<a [^>]*href="([^"]*)"[^>]*class="([^"]*)"[^>]*>([^<]*)<\/a>/g);
  const problems = /data-invalid="[^"]*">(.*?)<\/div>/s.exec(html)?.[1] ?? "";
  return {
    html,
    text: plain(html),
    links: [...links].map(([, url = "", look = "", text = ""]) => [text, url, look.includes("bg-wash")]),
    problems: problems.split("</p>").map(plain).filter((text) => text !== ""),
  };
}

Deno.test("a linkifier preview shows links, groups and addresses, and stores nothing", () =>
  withPages(async (pages) => {
    const shown = await preview(pages, { sample: "see TKT-7." });
    assert.deepEqual(shown.links, [["TKT-7", "https://x.example/7", true]]);
    assert.match(shown.html, />see <a [^>]*>TKT-7<\/a>\.<\/p>/);
    assert.match(shown.text, /1 match\..*TKT-7.*https:\/\/x\.example\/7.*id\s*=\s*7/s);
    assert.doesNotMatch(shown.text, /more|Not linked/);
    assert.deepEqual(shown.problems, []);
    const many = await preview(pages, { sample: "TKT-7 ".repeat(30) });
    assert.equal(many.html.split("<li").length - 1, 20);
    assert.match(many.text, /and 10 more/);
    const nothing = await preview(pages, { sample: "nothing" });
    assert.match(nothing.text, /The pattern does not match anything in this message\./);
    assert.equal(
      (await preview(pages, {})).links[0]?.[0],
      "TKT-1",
      "the example stands for an empty message",
    );
    assert.match((await preview(pages, { pattern: " " })).text, /Enter a pattern and a URL template/);
    assert.deepEqual(await pages.patterns(), []);
  }));

Deno.test("a linkifier preview names the earlier linkifier that wins, by the position of the one under test", () =>
  withPages(async (pages) => {
    const ticket = await pages.add();
    const general = await pages.add({
      pattern: "[A-Z]+-(?P<id>\\d+)",
      url_template: "https://y.example/{id}",
    });
    const sample = "TKT-1 or ABC-2";
    const lost =
      /Not linked by this linkifier: TKT-\(\?P(<|&lt;)id(>|&gt;)\\d\+\) comes first and matches this text\./g;
    const tried = { pattern: "[A-Z]+-(?P<id>\\d+)", url_template: "https://y.example/{id}", sample };
    const second = await preview(pages, tried, `${LIST}/${general}`);
    assert.equal(second.html.match(lost)?.length, 1);
    assert.match(second.html.split("<li")[1] ?? "", lost);
    assert.deepEqual(second.links, [
      ["TKT-1", "https://x.example/1", false],
      ["ABC-2", "https://y.example/2", true],
    ]);
    const first = await preview(pages, { sample }, `${LIST}/${ticket}`);
    assert.doesNotMatch(first.html, lost);
    assert.deepEqual(first.problems, []);
    // A new linkifier comes after all others.
    const { problems } = await preview(pages, tried);
    assert.deepEqual(problems, ["Realm filter with this Realm and Pattern already exists."]);
  }));

Deno.test("a linkifier preview reports problems, and waits for fields that are still empty", () =>
  withPages(async (pages) => {
    const bad = await preview(pages, { pattern: "(" });
    assert.match(bad.problems[0] ?? "", /^Bad regular expression/);
    assert.match(bad.html, /data-invalid="pattern"/);
    assert.doesNotMatch(bad.html, /match|<li/);
    const half = await preview(pages, { url_template: "" });
    assert.deepEqual(half.problems, []);
    assert.doesNotMatch(half.html, /match\.|<li/);
    assert.deepEqual((await preview(pages, { pattern: "x".repeat(1001) })).problems, [
      "1 character over the limit",
    ]);
    const script = await preview(pages, { url_template: "javascript:alert({id})" });
    assert.deepEqual(script.links, []);
    assert.match(script.text, /^\s*TKT-1/);
    const long = await preview(pages, { sample: "x".repeat(5000) });
    assert.equal(/x{2000,}/.exec(long.text)?.[0].length, 2000);
  }));

Deno.test("a linkifier preview matches a pasted address in reverse", () =>
  withPages(async (pages) => {
    const reverse = async (fields: FormValues) =>
      plain(`<span${(await preview(pages, fields)).html.split('<span id="address-outcome"')[1]}`);
    const address = "https://x.example/9";
    assert.match(await reverse({ address, reverse_template: "TKT-{id}" }), /Becomes TKT-9/);
    const other = { address: "https://y.example/9", reverse_template: "TKT-{id}" };
    assert.match(await reverse(other), /No match\. The URL is pasted unchanged\./);
    const alternative = { ...other, alternative_url_templates: "https://y.example/{id}" };
    assert.match(await reverse(alternative), /Becomes TKT-9/);
    assert.match(await reverse({ address }), /Fill in the reverse template first\./);
  }));

Deno.test("a linkifier is previewed by its query without JavaScript, and input is kept", () =>
  withPages(async ({ admin, patterns }) => {
    const plain = await admin.get(NEW);
    assert.match(plain.html, /<noscript><button[^>]*name="action"[^>]*formMethod="get"/i);
    assert.match(textOf(plain.html), /to see the links/);
    const query = new URLSearchParams({
      ...TICKET,
      action: "preview",
      reverse_template: "TKT-{id}",
      sample: "see TKT-7",
      address: "https://x.example/9",
    });
    // The form's own action comes first, and the button's after it.
    const { html } = await admin.get(`${NEW}?action=create&${query}`);
    assert.match(html, /<a [^>]*href="https:\/\/x\.example\/7"[^>]*>TKT-7<\/a>/);
    assert.match(textOf(html), /1 match\..*id\s*=\s*7.*Becomes TKT-9/s);
    assert.equal(valueOf(html, "pattern"), TICKET["pattern"]);
    assert.equal(valueOf(html, "reverse_template"), "TKT-{id}");
    assert.deepEqual(await patterns(), []);
  }));

Deno.test("members, guests and anonymous visitors cannot use the linkifier pages", () =>
  withPages(async ({ chat, admin, add, patterns }) => {
    const id = await add();
    const forms: readonly [path: string, fields: FormValues][] = [
      [LIST, { action: "move_up", id: String(id) }],
      [LIST, { action: "reorder", order: String(id) }],
      [LIST, { action: "export" }],
      [NEW, { ...TICKET, action: "create", pattern: "x(?P<id>\\d)" }],
      [NEW, { ...TICKET, action: "preview" }],
      [`${LIST}/${id}`, { ...TICKET, action: "save" }],
      [`${LIST}/${id}`, { action: "place", place: "1" }],
      [`${LIST}/${id}/delete`, { action: "delete" }],
    ];
    const others = [
      await signIn(chat, chat.member),
      await signIn(chat, chat.moderator),
      await signIn(chat, chat.guest),
      visitPages(chat),
    ];
    for (const visitor of others) {
      for (const [path, fields] of forms) {
        for (const shown of [await visitor.get(path), await visitor.post(path, fields)]) {
          assert.notEqual(shown.status, 200, path);
          assert.doesNotMatch(shown.html, /TKT-/);
        }
      }
    }
    const outsider = await signIn(chat, chat.outsider);
    for (const path of [`${LIST}/${id}`, `${LIST}/${id}/delete`]) {
      assert.equal((await outsider.get(path)).status, 404);
    }
    assert.doesNotMatch((await outsider.get(LIST)).html, /TKT-/);
    for (const [path, fields] of forms) {
      const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
      assert.equal((await admin.post(path, fields, foreign)).status, 400, path);
    }
    assert.deepEqual(await patterns(), [TICKET["pattern"]]);
  }));
