import assert from "node:assert/strict";
import type { Dialog, Page } from "playwright-core";
import { adminTest } from "./admin_cast.ts";
import { waitForState } from "./helpers.ts";
import { whenLive, whenLoaded } from "./live.ts";

const PAPER = { light: "#fbfaf7", dark: "#0f1014" };

/** Leaves the page, confirms a warning if one appears, and returns whether it did. */
async function leaves(page: Page, leave: () => Promise<unknown>, isMeant: boolean): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const answer = async (dialog: Dialog) => {
    assert.equal(dialog.type(), "beforeunload");
    await (isMeant ? dialog.accept() : dialog.dismiss());
    resolve(true);
  };
  const note = () => resolve(false);
  page.on("dialog", answer);
  page.on("framenavigated", note);
  await leave();
  const isAsked = await promise;
  page.off("dialog", answer);
  page.off("framenavigated", note);
  return isAsked;
}

adminTest("leaving a page asks for confirmation only if there are unsaved changes", async (cast) => {
  const { page, complaints } = await cast.visitAs("admin", "/admin/channel-folders");
  const toOverview = () => page.getByRole("link", { name: "Overview" }).first().click();
  const name = page.getByLabel("Name");
  await name.click();
  await page.keyboard.type("Half");
  assert.ok(await leaves(page, toOverview, false));
  await waitForState(() => name.inputValue(), "Half");
  assert.equal(new URL(page.url()).pathname, "/admin/channel-folders");
  await name.focus();
  await page.keyboard.press("End");
  for (let left = 4; left > 0; left--) await page.keyboard.press("Backspace");
  assert.equal(await leaves(page, toOverview, true), false, "it is as it was");
  await page.waitForURL("**/admin");

  await page.goto("/admin/channel-folders");
  await whenLive(page);
  await name.click();
  await page.keyboard.type("Whole");
  const send = () => page.getByRole("button", { name: "Create folder" }).click();
  assert.equal(await leaves(page, send, true), false, "it is being sent");
  await page.getByText("Folder Whole created.").waitFor();
  await whenLive(page);
  await name.click();
  await page.keyboard.type("Whole");
  await whenLoaded(page, send);
  await page.getByText("already in use").or(page.getByRole("alert")).first().waitFor();
  await whenLive(page);
  await page.mouse.click(600, 10);
  assert.ok(await leaves(page, toOverview, true), "what was refused is not saved");
  await page.waitForURL("**/admin");
  assert.deepEqual(complaints, []);
});

adminTest("a button shows after a while that it is waiting, and sends its form once", async (cast) => {
  const { page, complaints } = await cast.visitAs("admin", "/admin/channel-folders");
  const posts: string[] = [];
  const answer = Promise.withResolvers<void>();
  await page.route("**/admin/channel-folders", async (route) => {
    if (route.request().method() !== "POST") return await route.continue();
    posts.push(route.request().postData() ?? "");
    await answer.promise;
    await route.continue();
  });
  await page.getByLabel("Name").fill("Slow");
  // Playwright waits for a page that is navigating, so a script observes what the old page does meanwhile.
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>("main form[data-guard]");
    const button = form?.querySelector("button");
    const sendAgain = () => {
      form?.requestSubmit();
      // deno-lint-ignore no-console
      console.info(`button: ${button?.textContent} ${button?.ariaDisabled}`);
    };
    if (button) new MutationObserver(sendAgain).observe(button, { childList: true });
  });
  const changed = page.waitForEvent("console", (message) => message.text().startsWith("button: "));
  await page.keyboard.press("Enter");
  assert.equal((await changed).text(), "button: Loading… true");
  answer.resolve();
  await page.getByText("Folder Slow created.").waitFor();
  assert.equal(posts.length, 1);
  await page.goBack();
  await page.getByRole("button", { name: "Create folder" }).waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("a banner reports an expired session, and the page keeps what was typed", async (cast) => {
  for (const name of ["One", "Two"]) {
    await cast.call("owner", "POST /channel_folders/create", { name, description: "" });
  }
  const { page, complaints } = await cast.visitAs("admin", "/admin/channel-folders");
  await page.getByLabel("Name").fill("Not lost");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Move down: One" }).click();
  const dialog = page.getByRole("alertdialog", { name: "You are signed out" });
  await dialog.waitFor();
  const rows = page.locator("#folders tr");
  await waitForState(() => rows.locator("th bdi").allTextContents(), ["One", "Two"]);
  const tab = page.waitForEvent("popup");
  await dialog.getByRole("link", { name: "Sign in in a new tab" }).click();
  const login = await tab;
  await login.waitForURL("**/login?next=%2Fadmin%2Fchannel-folders");
  await login.locator("[name=username]").fill(cast.people.admin.email);
  await login.locator("[name=password]").fill("violet kettle seldom 42");
  await login.keyboard.press("Enter");
  await login.waitForURL("**/admin/channel-folders");
  await dialog.getByRole("button", { name: "Back to the page" }).click();
  assert.equal(await page.getByLabel("Name").inputValue(), "Not lost");
  await page.getByRole("button", { name: "Move down: One" }).click();
  await page.getByText("One moved to position 2 of 2.").waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("a page reports that the browser is offline for as long as it is", async (cast) => {
  const { page } = await cast.visitAs("admin", "/admin");
  const status = page.getByText("You are offline.");
  await page.context().setOffline(true);
  await status.waitFor();
  await page.context().setOffline(false);
  await status.waitFor({ state: "hidden" });
});

adminTest(
  "the color scheme is chosen in the navigation and on the account page, and applies before first paint",
  async (cast) => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, complaints } = await cast.visitAs("admin", "/admin/channel-folders?archived", {
        javaScriptEnabled,
        colorScheme: "light",
      });
      const answer = async (path: string) => await (await page.goto(path))?.text() ?? "";
      const colors = () =>
        page.locator("meta[name=theme-color]").evaluateAll((metas) =>
          metas.map((meta) => [meta.getAttribute("content"), meta.getAttribute("media")])
        );
      const isPressed = (name: string) =>
        page.getByRole("button", { name, exact: true }).first().getAttribute("aria-pressed");
      assert.equal((await colors()).length, 2);
      await page.getByRole("button", { name: "Dark", exact: true }).first().click();
      await waitForState(() => isPressed("Dark"), "true");
      await waitForState(colors, [[PAPER.dark, null]]);
      assert.match(page.url(), /\/admin\/channel-folders\?archived$/);
      // The attribute is in the server's response: no script had to run.
      assert.match(await answer("/admin"), /<html[^>]*data-theme="dark"/);
      for (const path of ["/", "/account", "/docs"]) {
        assert.match(
          await answer(path),
          /data-theme="dark"/,
          path,
        );
      }

      await page.goto("/account");
      await page.getByRole("button", { name: "Light", exact: true }).click();
      await page.getByText("Theme saved in this browser.").waitFor();
      await waitForState(() => isPressed("Light"), "true");
      await waitForState(colors, [[PAPER.light, null]]);
      await page.getByRole("button", { name: "System" }).click();
      await waitForState(async () => (await colors()).length, 2);
      assert.equal((await page.context().cookies()).some(({ name }) => name === "sotto_theme"), false);
      assert.deepEqual(complaints, []);
    }
  },
);

adminTest("only pages that show times name their time zone", async (cast) => {
  const { page } = await cast.visitAs("owner", "/admin/audit");
  const zone = page.getByText("Times are in the time zone UTC.");
  await waitForState(() => zone.isVisible(), true);
  for (const path of ["/admin/organization/emoji", "/admin/activity"]) {
    await page.goto(path);
    await waitForState(() => zone.isVisible(), false);
  }
});
