import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

const DAY = 86_400_000;

/** Shortens URLs, visits each a number of times, and returns their paths. */
async function shortenAndVisit(chat: TestChat, visits: Readonly<Record<string, number>>): Promise<string[]> {
  const paths: string[] = [];
  for (const [url, count] of Object.entries(visits)) {
    const path = await chat.shorten(url);
    for (let visit = 0; visit < count; visit++) await (await chat.request(path)).body?.cancel();
    paths.push(path);
    chat.clock.time++;
  }
  return paths;
}

function figuresIn(html: string): Record<string, string> {
  const figures = html.matchAll(/data-figure="(\w+)"[^>]*>(.*?)<\/dd>/gs);
  return Object.fromEntries([...figures].map(([, name, text]) => [name, text]));
}

Deno.test("/admin/stats and its pages are limited to administrators of the root organization", async () => {
  await using chat = await startChat();
  const [path = ""] = await shortenAndVisit(chat, { "https://example.com/secret": 1 });
  const pages = ["", "/live", "/export", path].map((rest) => `/admin/stats${rest}`);
  const outsider = await signIn(chat, chat.outsider);
  const member = await signIn(chat, chat.member);
  for (const page of pages) {
    const [anonymous, refused, other] = [
      await visitPages(chat).get(page),
      await member.get(page),
      await outsider.get(page),
    ];
    assert.deepEqual([anonymous.status, refused.status, other.status], [303, 403, 403], page);
    assert.ok(!`${refused.html}${other.html}`.includes("example.com/secret"));
  }
  const { html } = await outsider.get("/admin/stats");
  assert.match(html, /Only administrators of the main organization/);
  // The frame does not link there: neither the navigation, nor the page search, nor a shortcut.
  assert.ok(!(await outsider.get("/admin")).html.includes("/admin/stats"));
  assert.ok(!(await outsider.get("/admin/shortcuts")).html.includes("/admin/stats"));
  const own = await signIn(chat, chat.admin);
  assert.match((await own.get("/admin")).html, /href="\/admin\/stats"/);
});

Deno.test("/admin/stats shows totals, and visits by day without gaps", async () => {
  await using chat = await startChat();
  const urls = { "https://example.com/a": 2, "https://example.com/b": 3, "https://example.com/none": 0 };
  await shortenAndVisit(chat, urls);
  chat.clock.time += 2 * DAY;
  await shortenAndVisit(chat, { "https://example.com/later": 1 });
  const visitor = await signIn(chat, chat.admin);
  const { status, html } = await visitor.get("/admin/stats?days=7");
  assert.equal(status, 200);
  assert.deepEqual(figuresIn(html), { urls: "4", visits: "6", today: "1" });
  assert.match(html, /6 visits in this period\./);
  assert.match(html, /Highest: 5 visits, Nov 21, 2026\. Lowest: 0 visits, Nov 17, 2026\./);
  for (const days of [2, 7]) {
    const { html } = await visitor.get(`/admin/stats?days=${days}`);
    assert.match(html, /Days and hours are in UTC\./);
    assert.equal(html.match(/UTC/g)?.length, 2, "the other one is the hidden sentence of the frame");
  }
  const places = html.split('id="chart"')[1]?.split("</section>")[0]?.match(/<tr id|<tr data-id/g);
  assert.equal(places?.length, 7);
});

Deno.test("/admin/stats compares with the previous period, and groups long periods by week and month", async () => {
  await using chat = await startChat();
  await shortenAndVisit(chat, { "https://example.com/a": 4 });
  chat.clock.time += 10 * DAY;
  await shortenAndVisit(chat, { "https://example.com/b": 1 });
  const visitor = await signIn(chat, chat.admin);
  assert.match((await visitor.get("/admin/stats?days=7")).html, /Previous period: 4 visits\./);
  assert.match((await visitor.get("/admin/stats?days=all")).html, /Visits by day/);
  chat.clock.time += 200 * DAY;
  const weeks = (await (await signIn(chat, chat.admin)).get("/admin/stats?days=all")).html;
  assert.match(weeks, /Visits by week.*Highest: 4 visits, Nov 16, 2026/s);
  chat.clock.time += 900 * DAY;
  const months = (await (await signIn(chat, chat.admin)).get("/admin/stats?days=all")).html;
  assert.match(months, /Visits by month.*Highest: 4 visits, Nov 1, 2026/s);
});

Deno.test("/admin/stats renders the badges and the markup for a badge service", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const plain = (await visitor.get("/admin/stats")).html;
  assert.match(plain, /aria-label="Badge: version v\d+\.\d+\.\d+"/);
  assert.match(
    plain,
    /https:\/\/BADGE-SERVICE\/endpoint\?url=http%3A%2F%2Flocalhost%3A8000%2Fstats%2Fbadges%2Furls/,
  );
  const filled =
    (await visitor.get("/admin/stats?service=https%3A%2F%2Fbadges.example%2Fdraw%3Fstyle%3Dflat")).html;
  assert.match(filled, /!\[visits\]\(https:\/\/badges\.example\/draw\?style=flat&amp;url=http/);
  const wrong = (await visitor.get("/admin/stats?service=javascript%3Aalert(1)")).html;
  assert.match(wrong, /Enter a URL that begins with/);
  assert.match(wrong, /BADGE-SERVICE/);
});

Deno.test("the chart is grouped as asked and compares with the previous period", async () => {
  await using chat = await startChat();
  const path = await chat.shorten("https://example.com/tomatoes");
  const visit = async () => await (await chat.request(path)).body?.cancel();
  for (let count = 0; count < 2; count++) await visit();
  chat.clock.time += 7 * 24 * 60 * 60 * 1000;
  await visit();
  const visitor = await signIn(chat, chat.owner);
  const texts = ({ html }: { html: string }) => {
    const values = /&quot;|"/g;
    return html.replaceAll(values, '"');
  };
  const byDay = texts(await visitor.get("/admin/stats?days=7"));
  assert.match(byDay, /Nov 28, 2026: 1 visit\. Previous period: 2 visits\./);
  assert.match(byDay, /stroke-dasharray/);
  const byMonth = texts(await visitor.get("/admin/stats?days=all&by=month"));
  assert.match(byMonth, /Nov 1, 2026: 3 visits\./);
  assert.match(
    byMonth,
    /<a [^>]*by=month#chart"[^>]*aria-current="true"|aria-current="true"[^>]*by=month#chart/,
  );
  assert.doesNotMatch(byMonth, /stroke-dasharray/);
});
