import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { waitFor } from "@/tests/helpers/wait.ts";
import { type AdminCast, adminTest, type CastRole } from "./admin_cast.ts";
import { assertAccessible, COLOR_SCHEMES, sidewaysScroll, waitForState } from "./helpers.ts";
import { whenLive } from "./live.ts";

const FOLDERS = "/admin/channel-folders";
/** Events that a page received since it was loaded. */
interface ReceivedEvents {
  /** Number of streams that the page opened. */
  opened: number;
  /** Whether the server has confirmed the latest stream, and sent all earlier events. */
  isConfirmed: boolean;
  readonly messages: string[];
}

/** Records in the page the events that it receives, each before the page's own scripts receive it. */
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

/** Waits until a page's stream is open, has caught up, and a total number of events has arrived. */
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
  return page.getByRole("button", { name: "Reload", exact: true });
}

/** Opens a page and waits until its event stream is open. */
async function open(cast: AdminCast, part: CastRole, path: string) {
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

async function createFolder(cast: AdminCast, name: string): Promise<void> {
  await cast.call("owner", "POST /channel_folders/create", { name, description: "" });
}

/** Simulates that the page's tab is hidden or visible. */
async function setVisible(page: Page, isSeen: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, !isSeen);
}

adminTest(
  "a bar reports another administrator's change and reloads the page on request",
  async (cast) => {
    const adminTab = await open(cast, "admin", FOLDERS);
    const ownerTab = await open(cast, "owner", FOLDERS);
    await ownerTab.page.getByLabel("Name").fill("Rosebeds");
    await ownerTab.page.getByRole("button", { name: "Create folder" }).click();
    await ownerTab.page.getByText("Folder Rosebeds created.").waitFor();
    await barOf(adminTab.page).waitFor();
    assert.equal(await adminTab.page.locator("#folders tr").count(), 0);
    await untilStreams(cast, 1);
    await showOf(adminTab.page).click();
    await adminTab.page.getByRole("link", { name: "Rosebeds", exact: true }).waitFor();
    await whenLive(adminTab.page);
    await Promise.all([whenReceived(adminTab.page), whenReceived(ownerTab.page)]);
    assert.equal(await barOf(adminTab.page).count() + await barOf(ownerTab.page).count(), 0);
    await createFolder(cast, "Orchard");
    await Promise.all([barOf(adminTab.page).waitFor(), barOf(ownerTab.page).waitFor()]);
    assert.deepEqual([...adminTab.complaints, ...ownerTab.complaints], []);
  },
);

adminTest(
  "the user's own changes are not reported in the same tab, with and without JavaScript",
  async (cast) => {
    for (const name of ["One", "Two", "Three"]) await createFolder(cast, name);
    const { page, complaints } = await open(cast, "admin", FOLDERS);
    const other = await open(cast, "admin", FOLDERS);
    for (const [name, place] of [["One", 2], ["One", 3], ["Two", 2]] as const) {
      await page.getByRole("button", { name: `Move down: ${name}` }).click();
      await page.getByText(`${name} moved to position ${place} of 3.`).waitFor();
    }
    await barOf(other.page).waitFor();
    await whenReceived(page, 3);
    assert.equal(await barOf(page).count(), 0, "the order that one made is on the page");
    // The stream is closed while the form waits for its response, and reopens after it.
    const [stored, hidden] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(`**${FOLDERS}`, async (route) => {
      const response = await route.fetch();
      stored.resolve();
      await hidden.promise;
      await route.fulfill({ response });
    }, { times: 1 });
    await page.getByRole("button", { name: "Move down: Three" }).click();
    await stored.promise;
    await setVisible(page, false);
    hidden.resolve();
    await page.getByText("Three moved to position 2 of 3.").waitFor();
    await setVisible(page, true);
    await whenReceived(page);
    assert.equal(await barOf(page).count(), 0);
    await page.getByLabel("Name").fill("Four");
    await page.getByRole("button", { name: "Create folder" }).click();
    await page.getByText("Folder Four created.").waitFor();
    await whenReceived(page);
    assert.equal(await barOf(page).count(), 0, "the page knows what its form did");
    await page.getByLabel("Name").fill("Four");
    await page.getByRole("button", { name: "Create folder" }).click();
    await page.getByText("already").first().waitFor();
    await createFolder(cast, "Five");
    await barOf(page).waitFor();
    assert.deepEqual(complaints, []);
  },
);

adminTest("showing a change asks for confirmation if there is unsaved text", async (cast) => {
  const { page, complaints } = await open(cast, "admin", FOLDERS);
  await page.getByLabel("Name").click();
  await page.keyboard.type("Half a name");
  await createFolder(cast, "Rosebeds");
  await barOf(page).waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "Half a name");
  const dialogs: string[] = [];
  let isMeant = false;
  page.on("dialog", async (dialog) => {
    await (isMeant ? dialog.accept() : dialog.dismiss());
    dialogs.push(dialog.type());
  });
  await showOf(page).click();
  await waitForState(() => Promise.resolve(dialogs.length), 1);
  assert.equal(await page.getByLabel("Name").inputValue(), "Half a name");
  assert.equal(await barOf(page).count(), 1, "the bar stays");
  isMeant = true;
  await showOf(page).click();
  await page.getByRole("link", { name: "Rosebeds", exact: true }).waitFor();
  await waitForState(() => Promise.resolve(dialogs.length), 2);
  assert.deepEqual([dialogs, complaints], [["beforeunload", "beforeunload"], []]);
});

adminTest("a hidden page closes its stream and catches up when it becomes visible", async (cast) => {
  const { page, complaints } = await open(cast, "admin", FOLDERS);
  const other = await open(cast, "admin", FOLDERS);
  await setVisible(page, false);
  await untilStreams(cast, 1);
  await createFolder(cast, "Rosebeds");
  await barOf(other.page).waitFor();
  await untilStreams(cast, 0);
  assert.equal(await barOf(page).count(), 0);
  assert.equal((await readReceived(page)).opened, 1);
  await setVisible(page, true);
  await barOf(page).waitFor();
  await untilStreams(cast, 0);
  assert.deepEqual(complaints, []);
});

adminTest(
  "a record's page reports no other records' changes; pages without news open no stream",
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
    // Events arrive in order: one of the guest would have come first.
    const { messages } = await readReceived(page);
    assert.deepEqual(messages.map((message) => JSON.parse(message).person.user_id), [people.member.id]);
    await showOf(page).click();
    await page.getByRole("heading", { name: "Dilip Other" }).waitFor();
  },
);

adminTest(
  "the bar is accessible, fits in both color schemes and never covers the focused element",
  async (cast) => {
    for (let number = 0; number < 12; number++) await createFolder(cast, `Bed ${number}`);
    const { page } = await open(cast, "admin", FOLDERS);
    await createFolder(cast, "Rosebeds");
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
