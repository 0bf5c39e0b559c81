import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { scriptLimit } from "@/tests/helpers/fresh_package.ts";
import { type AdminCast, adminTest, type ResponseBody } from "./admin_cast.ts";
import { dragOnto, mouseOf } from "./dragging.ts";
import { assertAccessible, scriptSize, waitForState } from "./helpers.ts";
import { whenLive, whenShown } from "./live.ts";
import { assertRendersWell } from "./rendering.ts";

const LIST = "/admin/linkifiers";
const TICKET = {
  pattern: "TKT-(?P<id>\\d+)",
  url_template: "https://x.example/{id}",
  example_input: "TKT-1",
};
const GENERAL = { ...TICKET, pattern: "[A-Z]+-(?P<id>\\d+)", url_template: "https://y.example/{id}" };
const ISSUE = { ...TICKET, pattern: "#(?P<id>\\d+)", example_input: "#5" };

async function add(cast: AdminCast, ...all: (typeof TICKET)[]): Promise<void> {
  for (const linkifier of all) await cast.call("owner", "POST /realm/filters", linkifier);
}

async function stored(cast: AdminCast): Promise<readonly ResponseBody[]> {
  return (await cast.call("member", "GET /realm/linkifiers")).linkifiers;
}

async function patterns(cast: AdminCast): Promise<readonly string[]> {
  return (await stored(cast)).map(({ pattern }) => pattern);
}

const heads = (page: Page) => page.getByRole("rowheader").getByRole("link").allTextContents();
/** Most bytes of compressed script of a page. */
const PAGE_BYTES = scriptLimit(20_000);

adminTest(
  "a linkifier is created from a template, previewed while edited, changed and deleted",
  async (cast) => {
    const { page, complaints } = await cast.visitAs("admin", LIST);
    await page.getByRole("link", { name: "Ticket key" }).click();
    const tried = page.getByRole("region", { name: "Try it" });
    await tried.getByRole("link", { name: "ABC-123" }).waitFor();
    await whenLive(page);
    await page.getByLabel("URL template", { exact: true }).fill("https://tickets.garden.example/{key}");
    await tried.getByText("https://tickets.garden.example/ABC-123").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Water GDN-7 and GDN-8!");
    await tried.getByText("2 matches.").waitFor();
    const link = tried.getByRole("link", { name: "GDN-8" });
    assert.equal(await link.getAttribute("href"), "https://tickets.garden.example/GDN-8");
    await page.getByLabel("Pasted URL").fill("https://tickets.garden.example/GDN-9");
    await tried.getByText("Becomes GDN-9").waitFor();
    await page.getByLabel("Pattern").fill("(?P<key>[A-Z]+");
    await tried.getByText(/^Bad regular expression/).waitFor();
    await page.locator("#pattern[aria-invalid=true][aria-describedby~=linkifier-problems]").waitFor();
    await waitForState(() => link.count(), 0);
    await page.getByRole("button", { name: "Add linkifier" }).click();
    await page.getByRole("alert").getByText(/^Bad regular expression/).waitFor();
    assert.equal(await page.getByLabel("Message", { exact: true }).inputValue(), "Water GDN-7 and GDN-8!");
    await page.getByLabel("Pattern").fill("(?P<key>[A-Z]+-\\d+)");
    await page.getByRole("button", { name: "Add linkifier" }).click();
    await page.getByText("Linkifier (?P<key>[A-Z]+-\\d+) added.").waitFor();
    await page.getByRole("link", { name: /^Edit/ }).click();
    await page.getByLabel("Pattern").fill("(?<key>[A-Z]+-\\d+)");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Linkifier (?<key>[A-Z]+-\\d+) saved.").waitFor();
    assert.deepEqual(await patterns(cast), ["(?<key>[A-Z]+-\\d+)"]);
    await page.getByRole("link", { name: /^Delete/ }).click();
    await page.getByText("This cannot be undone.").waitFor();
    await page.getByRole("button", { name: "Delete linkifier" }).click();
    await page.getByText("There are no linkifiers yet.").waitFor();
    assert.deepEqual(complaints, []);
  },
);

adminTest(
  "linkifiers are reordered by dragging, their hints stay correct, and a refused move is undone",
  async (cast) => {
    await add(cast, GENERAL, TICKET, ISSUE);
    const { page, complaints } = await cast.visitAs("owner", LIST);
    const note = (pattern: string) => page.getByText(`${pattern} comes first and matches this text.`);
    await note(GENERAL.pattern).waitFor();
    const row = (pattern: string) =>
      page.getByRole("row").filter({ has: page.getByRole("link", { name: pattern, exact: true }) });
    const mouse = mouseOf(page);
    await dragOnto(mouse, row(TICKET.pattern), row(GENERAL.pattern));
    await waitForState(() => heads(page), [TICKET.pattern, GENERAL.pattern, ISSUE.pattern]);
    await mouse.release();
    await page.getByText(`${TICKET.pattern} moved to position 1 of 3.`).waitFor();
    await note(TICKET.pattern).waitFor();
    await waitForState(() => note(GENERAL.pattern).count(), 0);
    assert.deepEqual(await patterns(cast), [TICKET.pattern, GENERAL.pattern, ISSUE.pattern]);
    await page.getByRole("button", { name: "Undo" }).click();
    await note(GENERAL.pattern).waitFor();
    const before = [GENERAL.pattern, TICKET.pattern, ISSUE.pattern];
    await waitForState(() => heads(page), before);
    assert.deepEqual(await patterns(cast), before);
    await waitForState(
      () => page.getByRole("button", { name: `Move up: ${GENERAL.pattern}` }).isDisabled(),
      true,
    );
    await waitForState(() => page.getByRole("button", { name: "Undo" }).count(), 0);
    await page.goto(`${LIST}?q=tkt`);
    assert.equal(await page.getByRole("button", { name: /^Move/ }).count(), 0);
    assert.deepEqual(complaints, []);
  },
);

adminTest(
  "linkifiers are filtered while a search is typed, and reordered once all of them are shown",
  async (cast) => {
    await add(cast, GENERAL, TICKET, ISSUE);
    const { page, complaints } = await cast.visitAs("owner", `${LIST}?q=tkt`);
    await whenLive(page);
    const search = page.getByLabel("Search patterns");
    const hint = page.getByText("Show all linkifiers to change the order.");
    await hint.waitFor();
    await search.fill("");
    await page.getByText("Linkifiers run from top to bottom.").waitFor();
    assert.equal(await hint.count(), 0);
    const mouse = mouseOf(page);
    await dragOnto(mouse, page.locator("tbody tr").last(), page.locator("tbody tr").first());
    await mouse.release();
    await page.getByText(`${ISSUE.pattern} moved to position 1 of 3.`).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(`${ISSUE.pattern} moved to position 3 of 3.`).waitFor();
    const before = [GENERAL.pattern, TICKET.pattern, ISSUE.pattern];
    assert.deepEqual(await heads(page), before);
    assert.deepEqual(await patterns(cast), before);
    await search.fill("#5");
    await hint.waitFor();
    assert.deepEqual(await heads(page), [ISSUE.pattern]);
    assert.equal(await page.getByRole("button", { name: /^Move/ }).count(), 0);
    assert.equal(await page.locator("[data-handle]").count(), 0);
    await search.fill("nothing");
    await page.getByText("No matching linkifiers.").waitFor();
    await waitForState(() => heads(page), []);
    assert.deepEqual(complaints, []);
  },
);

adminTest("the keyboard alone creates and moves linkifiers", async (cast) => {
  await add(cast, GENERAL, ISSUE);
  const { page, complaints } = await cast.visitAs("owner", `${LIST}/new`);
  await page.locator("#pattern:focus").waitFor();
  await page.keyboard.type(TICKET.pattern);
  await page.keyboard.press("Tab");
  await page.keyboard.type(TICKET.url_template);
  await page.keyboard.press("Tab");
  await page.keyboard.type("TKT-1");
  await page.getByText(`${GENERAL.pattern} comes first and matches this text.`).waitFor();
  await page.keyboard.press("Enter");
  await whenShown(page, `Linkifier ${TICKET.pattern} added.`);
  const up = page.getByRole("button", { name: `Move up: ${TICKET.pattern}` });
  await up.focus();
  await page.keyboard.press("Enter");
  await page.getByText("moved to position 2 of 3.").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("moved to position 1 of 3.").waitFor();
  assert.deepEqual(await patterns(cast), [TICKET.pattern, GENERAL.pattern, ISSUE.pattern]);
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("moved to position 2 of 3.").waitFor();
  await waitForState(() => up.evaluate((button) => button === document.activeElement), true);
  await page.getByRole("link", { name: /^Edit/ }).nth(1).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Position", { exact: true }).fill("3");
  await page.keyboard.press("Enter");
  await page.getByText("moved to position 3 of 3.").waitFor();
  assert.deepEqual(complaints, []);
});

adminTest(
  "linkifiers are previewed, created, moved, searched and exported without JavaScript",
  async (cast) => {
    await add(cast, ISSUE);
    const { page, complaints } = await cast.visitAs("owner", `${LIST}/new`, { javaScriptEnabled: false });
    await page.getByLabel("Pattern").fill(TICKET.pattern);
    await page.getByLabel("URL template", { exact: true }).fill(TICKET.url_template);
    await page.getByLabel("Message", { exact: true }).fill("see TKT-7");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("1 match.").waitFor();
    assert.equal(await page.getByRole("link", { name: "TKT-7" }).getAttribute("href"), "https://x.example/7");
    assert.equal(await page.getByLabel("Pattern").inputValue(), TICKET.pattern);
    await page.getByLabel("Example text").fill("nothing");
    await page.getByLabel("Example text").press("Enter");
    await page.getByText("Example input does not match the linkifier pattern.").waitFor();
    await page.getByLabel("Example text").fill("TKT-1");
    await page.getByLabel("Example text").press("Enter");
    await page.getByText(/^Linkifier .* added\.$/).waitFor();
    await page.getByRole("button", { name: `Move up: ${TICKET.pattern}` }).click();
    await page.getByText(`${TICKET.pattern} moved to position 1 of 2.`).waitFor();
    assert.deepEqual(await heads(page), [TICKET.pattern, ISSUE.pattern]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    assert.equal((await download).suggestedFilename(), "linkifiers.json");
    await page.getByLabel("Search patterns").fill("tkt");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Show all linkifiers to change the order.").waitFor();
    assert.deepEqual(await heads(page), [TICKET.pattern]);
    assert.deepEqual(complaints, []);
  },
);

/** Waits for the response to the preview that the editor requests as soon as there is a pattern. */
async function whenPreviewed(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const pattern = document.querySelector<HTMLInputElement>("#pattern")?.value ?? "";
    const requests = performance.getEntriesByType("resource").map((entry) =>
      Reflect.get(entry, "initiatorType")
    );
    return pattern === "" || requests.includes("fetch");
  });
}

const STATES = [
  LIST,
  `${LIST}?q=tkt`,
  `${LIST}?q=nothing`,
  `${LIST}/new`,
  `${LIST}/new?template=repository`,
  `${LIST}/1`,
  `${LIST}/1/delete`,
];

adminTest("the linkifier pages are accessible and fit small screens and large text", async (cast) => {
  const { page, complaints } = await cast.visitAs("owner", LIST, { bypassCSP: true });
  await assertRendersWell(page, "a list without linkifiers");
  await add(cast, GENERAL, TICKET, { ...ISSUE, pattern: `#(?P<id>\\d+)${"x?".repeat(100)}` });
  for (const path of STATES) {
    await page.goto(path);
    await whenPreviewed(page);
    await assertRendersWell(page, path);
    assert.deepEqual(complaints, [], path);
  }
});

adminTest("the scripts of the linkifier editor and list stay within their size limits", async (cast) => {
  await add(cast, GENERAL, TICKET);
  const { page } = await cast.visitAs("owner", LIST);
  for (const path of [LIST, `${LIST}/new`]) {
    await page.goto(path);
    if (path === LIST) await page.locator("[data-handle]").first().waitFor();
    const size = await scriptSize(page);
    assert.ok(size > 1000 && size < PAGE_BYTES, `${path}: ${size} bytes of script`);
  }
});

adminTest(
  "a linkifier is tried on recent messages and edited further, with and without JavaScript",
  async (cast) => {
    await cast.call("owner", "POST /channels/create", {
      name: "garden",
      subscribers: [cast.people.owner.id],
    });
    await cast.call("owner", "POST /messages", {
      type: "stream",
      to: "garden",
      topic: "beds",
      content: "Water bed-7, please",
    });
    for (const javaScriptEnabled of [true, false]) {
      const { page, complaints } = await cast.visitAs("admin", "/admin/linkifiers/new", {
        javaScriptEnabled,
        bypassCSP: javaScriptEnabled,
      });
      await page.getByLabel("Pattern").fill("bed-(?P<id>[0-9]+)");
      await page.getByLabel("URL template", { exact: true }).fill("https://garden.example/{id}");
      await page.getByRole("button", { name: "Try on recent messages" }).click();
      await page.getByRole("heading", { name: "1 message with links" }).waitFor();
      const link = page.getByRole("link", { name: "bed-7" });
      assert.equal(await link.getAttribute("href"), "https://garden.example/7");
      if (javaScriptEnabled) await assertAccessible(page);
      await page.getByRole("link", { name: "Back to editing" }).click();
      await page.getByRole("heading", { name: "Add linkifier", level: 1 }).waitFor();
      assert.equal(await page.getByLabel("Pattern").inputValue(), "bed-(?P<id>[0-9]+)");
      assert.deepEqual(complaints, []);
    }
  },
);
