import assert from "node:assert/strict";
import { linkKeys } from "@/lib/links/store.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";
import { settled, waitFor } from "@/tests/helpers/wait.ts";

const DAY = 86_400_000;

/** Returns the times in the list of visits. */
function timesIn(html: string): string[] {
  return [...html.slice(html.indexOf('id="latest"')).matchAll(/<time datetime="([^"]*Z)"/g)].map((
    [, time = ""],
  ) => time);
}

/** Reads a stream until a pattern matches, or to its end. */
async function readStream(body: ReadableStream<Uint8Array>, until: RegExp): Promise<string> {
  return await settled(`the stream sends ${until} or ends`, readUntil(body, until));
}

async function readUntil(body: ReadableStream<Uint8Array>, until: RegExp): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (until.test(text)) break;
  }
  return text;
}

Deno.test("/admin/links/{short} shows a link's target, its characters and its visits", async () => {
  await using chat = await startChat();
  const path = await chat.shorten("https://example.com/page?x=1&y=<b>");
  for (let visit = 0; visit < 3; visit++) await (await chat.request(path)).body?.cancel();
  const visitor = await signIn(chat, chat.admin);
  const { status, html } = await visitor.get(`/admin/links${path}`);
  assert.equal(status, 200);
  assert.match(html, /href="https:\/\/example\.com\/page\?x=1&amp;y=&lt;b>" rel="noopener noreferrer"/);
  assert.ok(!html.includes("y=<b>"));
  assert.match(html, /U\+E00|U\+200/);
  assert.match(html, /3 visits in this period\./);
  assert.equal(timesIn(html).length, 3);
  assert.ok(html.includes(`http://localhost:8000${path}`));
  assert.equal((await visitor.get("/admin/links/nothing")).status, 404);
  assert.equal((await visitor.get("/admin/links/%E0%A4%A")).status, 400);
  assert.equal((await visitor.get(`/admin/links${path}?cursor=x`)).status, 400);
});

Deno.test("/admin/links/{short} links only to web addresses, and reports a blocked host", async () => {
  await using chat = await startChat();
  const mail = await chat.shorten("mailto:ada@example.com");
  const visitor = await signIn(chat, chat.admin);
  const { html } = await visitor.get(`/admin/links${mail}`);
  assert.ok(!html.includes('href="mailto:'));
  assert.match(html, /This is not a web address/);

  await using strict = await startChat({ env: { BLOCKED_HOSTNAMES: "spam.example" } });
  // The link is older than the block.
  const link = { url: "https://spam.example/", createdAt: strict.clock.time };
  await strict.services.store.kv.set(linkKeys.link("older"), link);
  const page = await (await signIn(strict, strict.admin)).get("/admin/links/older");
  assert.match(page.html, /The host of this link is blocked/);
});

Deno.test("/admin/links/{short} pages through the visits, latest first, each once", async () => {
  await using chat = await startChat();
  const path = await chat.shorten("https://example.com/");
  const short = decodeURIComponent(path.slice(1));
  const { visits } = chat.services.links;
  // Several in one millisecond, and enough to fold small entries.
  for (let at = 0; at < 230; at++) {
    const time = chat.clock.time + Math.floor(at / 30) * DAY + at % 2;
    if (at % 40 < 30) await visits.submit({ short, at: time });
    else await Promise.all([visits.submit({ short, at: time }), visits.submit({ short, at: time })]);
  }
  await visits.drain();
  const expected = (await (await chat.request(`${path}/stats`)).json()).visits.toReversed();
  chat.clock.time += 8 * DAY;
  const visitor = await signIn(chat, chat.admin);
  const seen: string[] = [];
  let next: string | undefined = `/admin/links${path}`;
  while (next !== undefined) {
    const { html }: { html: string } = await visitor.get(next);
    seen.push(...timesIn(html));
    const query: string | undefined = /href="(\?[^"#]*)#latest"[^>]*>Older visits/.exec(html)?.[1];
    next = query === undefined ? undefined : `/admin/links${path}${query.replaceAll("&amp;", "&")}`;
  }
  assert.deepEqual(seen, expected);
});

Deno.test("/admin/links/{short}/qr downloads an image", async () => {
  await using chat = await startChat();
  const path = await chat.shorten("https://example.com/");
  const visitor = await signIn(chat, chat.admin);
  const { status, headers, html } = await visitor.get(`/admin/links${path}/qr`);
  assert.deepEqual([status, headers.get("content-type")], [200, "image/svg+xml"]);
  assert.match(headers.get("content-disposition") ?? "", /^attachment/);
  assert.match(html, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>\n$/);
  assert.equal((await visitor.get("/admin/links/nothing/qr")).status, 404);
});

Deno.test("/admin/stats/export returns days and URLs as CSV and JSON, without spreadsheet formulas", async () => {
  await using chat = await startChat();
  const plain = await chat.shorten('https://example.com/?q="quoted",=1');
  const formula = await chat.shorten("tel:=1+1");
  await (await chat.request(plain)).body?.cancel();
  chat.clock.time += DAY;
  for (const path of [formula, formula, plain]) await (await chat.request(path)).body?.cancel();
  await chat.services.links.compactor.catchUp();
  const visitor = await signIn(chat, chat.admin);
  const days = await visitor.get("/admin/stats/export?what=days&format=csv");
  assert.match(days.headers.get("content-disposition") ?? "", /sotto-days-2026-11-22\.csv/);
  assert.deepEqual(days.html.replace("\ufeff", "").split("\r\n"), [
    "date,visits,urls",
    "2026-11-21,1,2",
    "2026-11-22,3,0",
    "",
  ]);
  const urls = JSON.parse((await visitor.get("/admin/stats/export?what=urls&format=json")).html);
  assert.equal(urls.length, 2);
  assert.deepEqual(urls.map(({ rank, visits }: { rank: number; visits: number }) => [rank, visits]), [
    [1, 2],
    [2, 2],
  ]);
  assert.ok(urls.some((row: { long_url: string }) => row.long_url === 'https://example.com/?q="quoted",=1'));
  const csv = (await visitor.get("/admin/stats/export?what=urls&format=csv")).html;
  assert.match(csv, /"https:\/\/example\.com\/\?q=""quoted"",=1"/);
  // The chosen period of the page.
  const day = await visitor.get("/admin/stats/export?what=days&from=2026-11-22&to=2026-11-22");
  assert.deepEqual(day.html.replace("\ufeff", "").split("\r\n").slice(1), ["2026-11-22,3,0", ""]);
  const ofDay = await visitor.get("/admin/stats/export?what=urls&format=json&from=2026-11-22&to=2026-11-22");
  assert.deepEqual(
    JSON.parse(ofDay.html).map((row: { long_url: string; visits: number }) => [row.long_url, row.visits]),
    [["tel:=1+1", 2], ['https://example.com/?q="quoted",=1', 1]],
  );
  assert.match(
    (await visitor.get("/admin/stats?days=7")).html,
    /export\?what=days&amp;format=csv&amp;days=7"/,
  );
  assert.match((await visitor.get("/admin/stats")).html, /export\?what=days&amp;format=csv&amp;days=30"/);
  assert.equal((await visitor.get("/admin/stats/export?what=all")).status, 400);
  assert.equal(JSON.parse((await visitor.get("/admin/stats/export?format=json")).html).length, 2);
});

Deno.test("/admin/stats/export returns the hours of a period that is shown by hour, of the server and of a link", async () => {
  await using chat = await startChat();
  const paths = [await chat.shorten("https://example.com/a"), await chat.shorten("https://example.com/b")];
  const [path = "", other = ""] = paths;
  for (const one of [path, other, other]) await (await chat.request(one)).body?.cancel();
  chat.clock.time += DAY / 24;
  await (await chat.request(path)).body?.cancel();
  await chat.services.links.compactor.catchUp();
  const visitor = await signIn(chat, chat.admin);
  const fileOf = async (page: string, name: string) => {
    const { html } = await visitor.get(page);
    const [, file = ""] = new RegExp(`href="([^"]*)"[^>]*>${RegExp.escape(name)}<`).exec(html) ?? [];
    return await visitor.get(file.replaceAll("&amp;", "&"));
  };
  const byHour = await fileOf("/admin/stats?days=2", "Visits by hour (JSON)");
  assert.match(byHour.headers.get("content-disposition") ?? "", /sotto-hours-2026-11-21\.json/);
  const hours: { time: string; visits: number }[] = JSON.parse(byHour.html);
  assert.equal(hours.length, 48);
  assert.deepEqual(hours.slice(-2), [
    { time: "2026-11-21T11:00:00.000Z", visits: 3 },
    { time: "2026-11-21T12:00:00.000Z", visits: 1 },
  ]);
  const chosen = "from=2026-11-21&to=2026-11-21";
  const ofLink = await fileOf(`/admin/links${path}?${chosen}&by=hour`, "Visits by hour (CSV)");
  const rows = ofLink.html.replace("\ufeff", "").split("\r\n");
  assert.deepEqual([rows[0], rows.length, rows[12], rows[13]], [
    "time,visits",
    26,
    "2026-11-21T11:00:00.000Z,1",
    "2026-11-21T12:00:00.000Z,1",
  ]);
  const days = await fileOf(`/admin/links${other}?${chosen}&by=day`, "Visits by day (CSV)");
  assert.deepEqual(days.html.replace("\ufeff", "").split("\r\n"), ["date,visits", "2026-11-21,2", ""]);
  // The links of 48 hours count the visits of these hours, not those of three days.
  chat.clock.time += 2 * DAY - DAY / 24;
  const links = await fileOf("/admin/stats?days=2", "Short links (JSON)");
  assert.deepEqual(JSON.parse(links.html).map(({ visits }: { visits: number }) => visits), [1]);

  const refused = [
    "what=hours",
    "what=hours&from=2026-11-19&to=2026-11-21",
    "what=hours&days=7&by=hour",
    `what=urls&short=${path.slice(1)}`,
    "what=constructor",
  ];
  for (const query of refused) {
    assert.equal((await visitor.get(`/admin/stats/export?${query}`)).status, 400, query);
  }
  // A short period has hours, whatever its chart is grouped by.
  for (const period of [chosen, "days=2&by=day"]) {
    assert.equal((await visitor.get(`/admin/stats/export?what=hours&${period}`)).status, 200, period);
  }
  assert.equal((await visitor.get("/admin/stats/export?short=none")).status, 404);
});

Deno.test("/admin/stats/export counts all visits of a link by hour, of which its page shows the latest", async () => {
  await using chat = await startChat();
  const path = await chat.shorten("https://example.com/");
  const short = decodeURIComponent(path.slice(1));
  const { kv } = chat.services.store;
  await (await chat.request(path)).body?.cancel();
  await chat.services.links.compactor.catchUp();
  for (let minute = 1; minute < 300; minute++) {
    const time = chat.clock.time - minute * 60_000;
    await kv.set(linkKeys.visits(short, time, "small"), Float64Array.of(time));
  }
  const visitor = await signIn(chat, chat.admin);
  const read = async (query: string): Promise<{ visits: number }[]> =>
    JSON.parse((await visitor.get(`/admin/stats/export?days=2&format=json&${query}`)).html);
  for (const query of ["what=urls", `what=hours&short=${path.slice(1)}`]) {
    assert.equal((await read(query)).reduce((sum, { visits }) => sum + visits, 0), 300, query);
  }
});

async function listen(chat: TestChat, visitor: PageVisitor): Promise<ReadableStream<Uint8Array>> {
  const headers = { cookie: `sotto_session=${visitor.token()}` };
  const response = await chat.request("/admin/stats/live", { headers });
  assert.deepEqual([response.status, response.headers.get("content-type")], [200, "text/event-stream"]);
  assert.ok(response.body !== null);
  return response.body;
}

Deno.test("streams of live figures share one reading, each for less than a second", async () => {
  await using chat = await startChat();
  const { links } = chat.services;
  const shared = links.readFigures();
  assert.equal(links.readFigures(), shared);
  await shared;
  await waitFor("another reading", async () => {
    const figures = links.readFigures();
    // The store closes after the test, so no reading may outlast it.
    await figures;
    return figures !== shared;
  });
});

Deno.test("/admin/stats/live ends after the session does", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const output = readStream(await listen(chat, visitor), /never/);
  await visitor.post("/logout", {});
  assert.match(await output, /data: \{"urls":0/);
});

Deno.test("/admin/stats/live sends changed figures, and ends after a time limit and on server stop", async () => {
  await using chat = await startChat();
  const path = await chat.shorten("https://example.com/");
  const visitor = await signIn(chat, chat.admin);
  const body = await listen(chat, visitor);
  const first = readStream(body, /"visits":1,/);
  await (await chat.request(path)).body?.cancel();
  assert.match(await first, /retry: 3000\n\n.*data: \{"urls":1,"visits":1,"today":1\}\n\n$/s);

  const second = readStream(await listen(chat, visitor), /never/);
  chat.services.status.isStopping = true;
  // The stream ends, whether or not the first figures were written before.
  assert.match(await second, /^retry: 3000/);
  chat.services.status.isStopping = false;

  const third = readStream(await listen(chat, visitor), /never/);
  chat.clock.time += 16 * 60_000;
  await third;
  const head = await chat.request("/admin/stats/live", {
    method: "HEAD",
    headers: { cookie: `sotto_session=${visitor.token()}` },
  });
  assert.deepEqual([head.status, head.body], [200, null]);
});

Deno.test("/admin/links/{short} shows the visits of 48 hours or chosen days by hour", async () => {
  await using chat = await startChat();
  const path = await chat.shorten("https://example.com/hours");
  const visit = async (count: number) => {
    for (let at = 0; at < count; at++) await (await chat.request(path)).body?.cancel();
  };
  await visit(1);
  chat.clock.time += 2 * DAY;
  await visit(2);
  chat.clock.time += DAY / 24;
  await visit(3);
  const visitor = await signIn(chat, chat.admin);
  const { html } = await visitor.get(`/admin/links${path}?days=2`);
  assert.match(html, /Visits by hour/);
  assert.match(html, /5 visits in this period\..*Previous period: 1 visit\./s);
  assert.match(html, /Highest: 3 visits, Nov 23, 2026, 12:00 PM\./);
  const chosen = await visitor.get(`/admin/links${path}?from=2026-11-21&to=2026-11-21&by=hour`);
  assert.match(chosen.html, /1 visit in this period\..*Highest: 1 visit, Nov 21, 2026, 11:00 AM\./s);
  // Longer periods are not shown by hour.
  assert.match((await visitor.get(`/admin/links${path}?days=30&by=hour`)).html, /Visits by day/);
});

Deno.test("the chart of a link is in UTC, other times are in the user's time zone, and one sentence says so", async () => {
  await using chat = await startChat();
  const path = await chat.shorten("https://example.com/hours");
  await (await chat.request(path)).body?.cancel();
  await chat.call(chat.admin, "PATCH /settings", { timezone: "America/New_York" });
  const visitor = await signIn(chat, chat.admin);
  const { html } = await visitor.get(`/admin/links${path}?days=2`);
  assert.match(html, /Highest: 1 visit, Nov 21, 2026, 11:00 AM\./);
  assert.match(html, /Created.*Nov 21, 2026, 6:00 AM.*Latest visits.*Nov 21, 2026, 6:00 AM/s);
  const sentence = "Days and hours of the chart are in UTC, other times in the time zone America/New York.";
  assert.deepEqual(html.match(/<p data-zones[^>]*>[^<]*/g)?.map((text) => text.split(">")[1]?.trim()), [
    sentence,
  ]);
});

Deno.test("/admin/stats shows the visits of all links by hour, and since when they are counted", async () => {
  await using chat = await startChat();
  const paths = [await chat.shorten("https://example.com/1"), await chat.shorten("https://example.com/2")];
  const visitAll = async () => {
    for (const path of paths) await (await chat.request(path)).body?.cancel();
  };
  await visitAll();
  chat.clock.time += 2 * DAY;
  await visitAll();
  chat.clock.time += DAY / 24;
  for (let at = 0; at < 2; at++) await visitAll();
  const visitor = await signIn(chat, chat.admin);
  const { html } = await visitor.get("/admin/stats?days=2");
  assert.match(html, /Visits by hour/);
  assert.match(html, /6 visits in this period\..*Previous period: 2 visits\./s);
  assert.match(html, /Highest: 4 visits, Nov 23, 2026, 12:00 PM\./);
  const chosen = await visitor.get("/admin/stats?from=2026-11-21&to=2026-11-21&by=hour");
  assert.match(chosen.html, /2 visits in this period\..*Highest: 2 visits, Nov 21, 2026, 11:00 AM\./s);
  assert.match((await visitor.get("/admin/stats?days=30&by=hour")).html, /Visits by day/);

  await chat.services.store.kv.set(linkKeys.visitHoursSince, Date.UTC(2026, 10, 23, 12) / (DAY / 24));
  const late = await visitor.get("/admin/stats?days=2");
  assert.match(
    late.html,
    /4 visits in this period\..*Visits by hour are counted since Nov 23, 2026, 12:00 PM\./s,
  );
  assert.doesNotMatch(late.html, /Previous period/);
});
