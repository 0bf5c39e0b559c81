import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { waitFor } from "@/tests/helpers/wait.ts";
import { type AdminCast, adminTest, type Part, whenLive } from "./admin_cast.ts";
import { assertAccessible, becomes, COLOR_SCHEMES, sidewaysScroll } from "./helpers.ts";

const FOLDERS = "/admin/channel-folders";
/** Events that a page received since it was loaded. */
interface ReceivedEvents {
  /** How often it opened a stream. */
  opened: number;
  /** Whether the server has confirmed the latest stream, and sent all that came before. */
  isConfirmed: boolean;
  readonly messages: string[];
}

/** Records in the page the events that it receives, each before the page's own scripts see it. */
function recordEvents(): void {
  const received: ReceivedEvents = { opened: 0, isConfirmed: false, messages: [] };
  Reflect.set(globalThis, "receivedEvents", received);
  globalThis.EventSource = class extends EventSource {
    constructor(url: string | URL) {
      super(url);
      received.opened++;
      received.isConfirmed = false;
      const record = ({ type, data }: MessageEvent) => {
        if (type === "here") received.isConfirmed = true;
        else received.messages.push(String(data));
      };
      this.addEventListener("here", record);
      this.addEventListener("message", record);
    }
  };
}

function readReceived(page: Page): Promise<ReceivedEvents> {
  return page.evaluate((): ReceivedEvents => Reflect.get(globalThis, "receivedEvents"));
}

/** Waits until a page's stream is open, what came before has arrived, and a number of events in all. */
async function whenReceived(page: Page, events = 0): Promise<void> {
  const isMet = ({ isConfirmed, messages }: ReceivedEvents) => isConfirmed && messages.length >= events;
  await waitFor(`the page's stream is open and brought ${events} events`, () => readReceived(page), {
    isMet,
  });
}

function barOf(page: Page) {
  return page.locator("[role=status] > div").filter({ hasText: "This page has changed." });
}

function showOf(page: Page) {
  return page.getByRole("button", { name: "Show", exact: true });
}

/** Opens a page, and settles when its stream of events is open. */
async function open(cast: AdminCast, part: Part, path: string) {
  const visited = await cast.visitAs(part, path, { bypassCSP: true, initScript: recordEvents });
  await whenReceived(visited.page);
  return visited;
}

/** Waits until the server has a number of open streams. */
async function untilStreams({ site }: AdminCast, count: number): Promise<void> {
  const read = async () => {
    const text = await (await fetch(`${site.baseUrl}/metrics`)).text();
    return Number(/^sotto_requests_waiting (\d+)/m.exec(text)?.[1]);
  };
  const isMet = (found: number) => found === count;
  await waitFor(`the server has ${count} open streams`, read, { isMet, explain: site.printed });
}

async function makeFolder(cast: AdminCast, name: string): Promise<void> {
  await cast.call("owner", "POST /channel_folders/create", { name, description: "" });
}

/** Makes a page believe that nobody sees it, or somebody does again. */
async function see(page: Page, isSeen: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, !isSeen);
}

adminTest(
  "what another administrator changes is said on the page, and shown when one wants it",
  async (cast) => {
    const mine = await open(cast, "admin", FOLDERS);
    const theirs = await open(cast, "owner", FOLDERS);
    await theirs.page.getByLabel("Name").fill("Rosebeds");
    await theirs.page.getByRole("button", { name: "Create folder" }).click();
    await theirs.page.getByText("The folder Rosebeds is made.").waitFor();
    await barOf(mine.page).waitFor();
    assert.equal(await mine.page.locator("#folders tr").count(), 0);
    await untilStreams(cast, 1);
    await showOf(mine.page).click();
    await mine.page.getByRole("link", { name: "Rosebeds", exact: true }).waitFor();
    await whenLive(mine.page);
    await Promise.all([whenReceived(mine.page), whenReceived(theirs.page)]);
    assert.equal(await barOf(mine.page).count() + await barOf(theirs.page).count(), 0);
    await makeFolder(cast, "Orchard");
    await Promise.all([barOf(mine.page).waitFor(), barOf(theirs.page).waitFor()]);
    assert.deepEqual([...mine.complaints, ...theirs.complaints], []);
  },
);

adminTest("what one changes oneself is not said in the same tab, with and without a script", async (cast) => {
  for (const name of ["One", "Two", "Three"]) await makeFolder(cast, name);
  const { page, complaints } = await open(cast, "admin", FOLDERS);
  const other = await open(cast, "admin", FOLDERS);
  for (const [name, place] of [["One", 2], ["One", 3], ["Two", 2]] as const) {
    await page.getByRole("button", { name: `Move ${name} down` }).click();
    await page.getByText(`${name} is now at place ${place} of 3.`).waitFor();
  }
  await barOf(other.page).waitFor();
  await whenReceived(page, 3);
  assert.equal(await barOf(page).count(), 0, "the order that one made is on the page");
  // The stream is closed while the answer is awaited, and opens again after it.
  const [stored, hidden] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(`**${FOLDERS}`, async (route) => {
    const response = await route.fetch();
    stored.resolve();
    await hidden.promise;
    await route.fulfill({ response });
  }, { times: 1 });
  await page.getByRole("button", { name: "Move Three down" }).click();
  await stored.promise;
  await see(page, false);
  hidden.resolve();
  await page.getByText("Three is now at place 2 of 3.").waitFor();
  await see(page, true);
  await whenReceived(page);
  assert.equal(await barOf(page).count(), 0);
  await page.getByLabel("Name").fill("Four");
  await page.getByRole("button", { name: "Create folder" }).click();
  await page.getByText("The folder Four is made.").waitFor();
  await whenReceived(page);
  assert.equal(await barOf(page).count(), 0, "the page knows what its form did");
  await page.getByLabel("Name").fill("Four");
  await page.getByRole("button", { name: "Create folder" }).click();
  await page.getByText("already").first().waitFor();
  await makeFolder(cast, "Five");
  await barOf(page).waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("what was typed is asked about before the change is shown", async (cast) => {
  const { page, complaints } = await open(cast, "admin", FOLDERS);
  await page.getByLabel("Name").click();
  await page.keyboard.type("Half a name");
  await makeFolder(cast, "Rosebeds");
  await barOf(page).waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "Half a name");
  const dialogs: string[] = [];
  let isMeant = false;
  page.on("dialog", async (dialog) => {
    await (isMeant ? dialog.accept() : dialog.dismiss());
    dialogs.push(dialog.type());
  });
  await showOf(page).click();
  await becomes(() => Promise.resolve(dialogs.length), 1);
  assert.equal(await page.getByLabel("Name").inputValue(), "Half a name");
  assert.equal(await barOf(page).count(), 1, "the bar stays");
  isMeant = true;
  await showOf(page).click();
  await page.getByRole("link", { name: "Rosebeds", exact: true }).waitFor();
  await becomes(() => Promise.resolve(dialogs.length), 2);
  assert.deepEqual([dialogs, complaints], [["beforeunload", "beforeunload"], []]);
});

adminTest("a page that nobody sees has no line, and catches up when it is seen again", async (cast) => {
  const { page, complaints } = await open(cast, "admin", FOLDERS);
  const other = await open(cast, "admin", FOLDERS);
  await see(page, false);
  await untilStreams(cast, 1);
  await makeFolder(cast, "Rosebeds");
  await barOf(other.page).waitFor();
  await untilStreams(cast, 0);
  assert.equal(await barOf(page).count(), 0);
  assert.equal((await readReceived(page)).opened, 1);
  await see(page, true);
  await barOf(page).waitFor();
  await untilStreams(cast, 0);
  assert.deepEqual(complaints, []);
});

adminTest(
  "a page about one thing says nothing of others; pages with nothing to say have no line",
  async (cast) => {
    const { people } = cast;
    const { page } = await open(cast, "admin", `/admin/users/${people.member.id}`);
    const list = await open(cast, "admin", "/admin/users");
    const still = await cast.visitAs("admin", "/admin/users/new");
    assert.equal(await still.page.locator("#page-news").count(), 0);
    await cast.call("owner", `PATCH /users/${people.guest.id}`, { full_name: "Enno Other" });
    await barOf(list.page).waitFor();
    assert.equal(await barOf(page).count(), 0);
    await cast.call("owner", `PATCH /users/${people.member.id}`, { full_name: "Dilip Other" });
    await barOf(page).waitFor();
    // Events arrive in their order: one of the guest would have come first.
    const { messages } = await readReceived(page);
    assert.deepEqual(messages.map((message) => JSON.parse(message).person.user_id), [people.member.id]);
    await showOf(page).click();
    await page.getByRole("heading", { name: "Dilip Other" }).waitFor();
  },
);

adminTest(
  "the bar is accessible and fits in both schemes, and nothing with the focus lies below it",
  async (cast) => {
    for (let number = 0; number < 12; number++) await makeFolder(cast, `Bed ${number}`);
    const { page } = await open(cast, "admin", FOLDERS);
    await makeFolder(cast, "Rosebeds");
    await barOf(page).waitFor();
    for (const colorScheme of COLOR_SCHEMES) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await assertAccessible(page);
        assert.equal(await sidewaysScroll(page), 0, `${width}`);
        const folder = Deno.env.get("SCREENSHOTS");
        if (folder !== undefined) {
          await page.screenshot({
            path: `${folder}/bar_${colorScheme}_${width}.png`,
          });
        }
      }
    }
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByLabel("Name").focus();
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press("Tab");
      const isHidden = await page.evaluate(() => {
        const bar = document.querySelector("#page-news > div");
        const at = document.activeElement;
        if (bar === null || at === null || bar.contains(at) || !at.closest("main")) return false;
        const [over, under] = [bar.getBoundingClientRect(), at.getBoundingClientRect()];
        return under.top >= over.top && under.bottom <= over.bottom && under.left >= over.left &&
          under.right <= over.right;
      });
      assert.equal(isHidden, false, `step ${step}`);
    }
  },
);
