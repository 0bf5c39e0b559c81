import assert from "node:assert/strict";
import { problemsIn, readForm } from "@/tests/casts/form_cast.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";

const PATH = "/admin/linkifiers/import";

async function preview(visitor: PageVisitor, text: string) {
  return await visitor.post(PATH, { action: "import", text });
}

/** Returns the texts of the preview's rows. */
function rowsIn(html: string): string[] {
  const rows = html.split("<tbody")[1]?.split("</tbody>")[0]?.split("</tr>").slice(0, -1) ?? [];
  return rows.map((row) =>
    (row.split("<td").at(-1) ?? "").replaceAll(/<span class="text-tiny[^>]*>[^<]*<\/span>/g, "")
      .replaceAll(/<[^>]*>/g, "").replace(/^[^>]*>/, "").trim()
  );
}

async function patterns(visitor: PageVisitor): Promise<string[]> {
  const { html } = await visitor.post("/admin/linkifiers", { action: "export" });
  return JSON.parse(html).linkifiers.map(({ pattern }: { pattern: string }) => pattern);
}

Deno.test("linkifiers are imported from CSV after a preview, without those that exist", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  await chat.call(chat.owner, "POST /realm/filters", {
    pattern: "A-(?P<id>[0-9]+)",
    url_template: "https://x.example/{id}",
  });
  const text = [
    "Pattern;url_template;example_input",
    "A-(?P<id>[0-9]+);https://y.example/{id};",
    "B-(?P<id>[0-9]+);https://y.example/{id};B-7",
  ].join("\r\n");
  const { status, html } = await preview(admin, text);
  assert.equal(status, 200);
  assert.deepEqual(rowsIn(html), ["The pattern exists already", "Will be added"]);
  assert.match(html, /Add 1 linkifier</);
  assert.deepEqual(await patterns(admin), ["A-(?P<id>[0-9]+)"], "nothing is added yet");
  const confirmed = /name="confirmed" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const other = await admin.post(PATH, { action: "import", text: `${text}\r\n`, confirmed });
  assert.equal(other.status, 200, "another text needs a preview of its own");
  const done = await admin.post(PATH, { ...readForm(html, "import"), action: "import", text, confirmed });
  assert.deepEqual([done.status, done.location], [303, "/admin/linkifiers"]);
  assert.deepEqual(await patterns(admin), ["A-(?P<id>[0-9]+)", "B-(?P<id>[0-9]+)"]);
  assert.match((await admin.get("/admin/audit")).html, /Added the linkifier .*B-/s);
});

Deno.test("an export of linkifiers is imported into another organization", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  for (const letter of ["A", "B"]) {
    await chat.call(chat.owner, "POST /realm/filters", {
      pattern: `${letter}-(?P<id>[0-9]+)`,
      url_template: "https://x.example/{id}",
      example_input: `${letter}-1`,
      reverse_template: `${letter}-{id}`,
      alternative_url_templates: ["https://z.example/{id}"],
    });
  }
  const { html: text } = await admin.post("/admin/linkifiers", { action: "export" });
  const outsider = await signIn(chat, chat.outsider);
  const { html } = await preview(outsider, text);
  const confirmed = /name="confirmed" value="([^"]+)"/.exec(html)?.[1] ?? "";
  assert.equal((await outsider.post(PATH, { action: "import", text, confirmed })).status, 303);
  assert.equal((await outsider.post("/admin/linkifiers", { action: "export" })).html, text);
});

Deno.test("texts with problems are refused, or shown with the problem of each linkifier", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const neither = "This is neither the JSON of an export nor CSV with the columns pattern and url_template.";
  for (
    const text of ["", "a,b\n1,2", "{}", "[]", '{"linkifiers":[{"pattern":1}]}', 'pattern,url_template\n"x']
  ) {
    const refused = await preview(admin, text);
    assert.equal(refused.status, 400, text);
    assert.deepEqual(problemsIn(refused.html), [neither], text);
  }
  const many = `pattern,url_template\n${"x,https://x.example\n".repeat(101)}`;
  assert.match((await preview(admin, many)).html, /Import no more than 100 linkifiers/);
  const wrong = JSON.stringify([
    { pattern: "(", url_template: "https://x.example" },
    { pattern: "C-(?P<id>[0-9]+)", url_template: "https://x.example" },
    { pattern: "D", url_template: "https://x.example" },
    { pattern: "D", url_template: "https://x.example" },
  ]);
  const { html } = await preview(admin, wrong);
  const [regex = "", group = "", fine, twice = ""] = rowsIn(html);
  assert.match(regex, /^Bad regular expression/);
  assert.match(group, /Group &#39;id&#39; in linkifier pattern|Group 'id' in linkifier pattern/);
  assert.equal(fine, "Will be added");
  assert.match(twice, /already exists/);
  assert.match(html, /Nothing can be added/);
  const confirmed = "x";
  assert.equal((await admin.post(PATH, { action: "import", text: wrong, confirmed })).status, 200);
  assert.equal((await (await signIn(chat, chat.moderator)).get(PATH)).status, 403);
});
