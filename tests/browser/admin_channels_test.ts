import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { choosePeople } from "./helpers.ts";
import { assertFits, assertRendersWell } from "./rendering.ts";

const PAGE = "/admin/channels";

/** Creates a channel with a long description, and a group. */
async function createChannel({ call, people }: AdminCast): Promise<{ id: number; group: number }> {
  const { group_id } = await call("owner", "POST /user_groups/create", {
    name: "gardeners",
    description: "",
    members: [people.member.id],
  });
  const { id } = await call("owner", "POST /channels/create", {
    name: "garden",
    description: `What grows here: ${"unbreakable".repeat(30)}`,
    subscribers: Object.values(people).map(({ id }) => id),
  });
  return { id, group: group_id };
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

adminTest("an administrator creates, finds, changes, archives and unarchives a channel", async (cast) => {
  await createChannel(cast);
  const { page, complaints } = await cast.visitAs("owner", PAGE);
  await page.getByRole("link", { name: "Create channel" }).click();
  await page.getByLabel("Name").fill("roof");
  await page.getByLabel("Private, shared history").check();
  await page.getByLabel("Message retention").selectOption("days");
  await page.getByLabel("Days").fill("30");
  await page.getByLabel("First subscribers").selectOption("people");
  await choosePeople(page, "People", ["Ada", "Bela"]);
  await press(page, "Create channel");
  await page.getByText("Channel roof created.").waitFor();
  assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "#roof");
  await page.getByText("Private, shared history · 2 subscribers").waitFor();

  await page.getByText("Send messages", { exact: true }).click();
  await page.getByLabel("Allowed: Send messages").selectOption("custom");
  await page.getByRole("checkbox", { name: "gardeners" }).first().check();
  await page.getByRole("combobox", { name: "People", exact: true }).first().fill("Nobody Known");
  await press(page, "Save permissions");
  await page.getByText("No active user is named “Nobody Known”.").waitFor();
  await page.getByRole("button", { name: "Remove Nobody Known" }).click();
  await choosePeople(page, "People", ["Cora"]);
  await press(page, "Save permissions");
  await page.getByText("Permissions of roof saved.").waitFor();
  await page.getByText("gardeners and Cora").waitFor();

  await page.getByRole("link", { name: "Archive channel" }).click();
  await page.getByText("Its messages are kept").waitFor();
  await press(page, "Archive #roof");
  await page.getByText("Channel roof archived.").waitFor();
  await page.goto(PAGE);
  assert.equal(await page.getByRole("link", { name: "#roof" }).count(), 0);
  await page.getByLabel("Status").selectOption("archived");
  await press(page, "Apply");
  await page.getByRole("link", { name: "#roof" }).click();
  await press(page, "Restore channel");
  await page.getByText("Channel roof restored.").waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("the channel pages can be used with the keyboard alone", async (cast) => {
  const { id } = await createChannel(cast);
  const { page, complaints } = await cast.visitAs("owner", `${PAGE}/${id}`);
  const focus = async (name: RegExp | string) => {
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press("Tab");
      const text = await page.evaluate(() => {
        const { activeElement } = document;
        const label = activeElement instanceof HTMLSelectElement ? activeElement.labels[0] : activeElement;
        const texts = [...label?.childNodes ?? []].filter((node) => !(node instanceof HTMLSelectElement));
        return activeElement?.getAttribute("aria-label") ?? texts.map((node) => node.textContent).join("");
      });
      if (typeof name === "string" ? text === name : name.test(text)) return;
    }
    assert.fail(`${name} is not reached by the keyboard`);
  };
  await focus(/^Send messages/);
  await page.keyboard.press("Enter");
  await focus("Allowed: Send messages");
  await page.keyboard.press("Home");
  const chosen = () =>
    page.locator("select:focus").evaluate((select) => {
      return select instanceof HTMLSelectElement ? select.selectedOptions[0]?.textContent ?? "" : "";
    });
  for (let step = 0; step < 20 && await chosen() !== "Moderators"; step++) {
    await page.keyboard.press("ArrowDown");
  }
  assert.equal(await chosen(), "Moderators");
  await focus("Save permissions");
  await page.keyboard.press("Enter");
  await page.getByText("Permissions of garden saved.").waitFor();
  const { stream } = await cast.call("owner", `GET /streams/${id}`);
  assert.equal(typeof stream.can_send_message_group, "number");
  await page.getByRole("group").filter({ hasText: /^Send messagesModerators/ }).first().waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("the channel pages are accessible and fit small screens and large text", async (cast) => {
  const { id } = await createChannel(cast);
  const { page, complaints } = await cast.visitAs("owner", PAGE, { bypassCSP: true });
  await assertRendersWell(page, PAGE);
  for (const path of [`${PAGE}/new`, `${PAGE}/${id}`, `${PAGE}/${id}/archive`]) {
    await page.goto(path);
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => one.open = true));
    await assertFits(page, path);
    const picker = page.locator("select[name=can_send_message_group]");
    if (await picker.count() > 0) await picker.selectOption("custom");
    await assertRendersWell(page, path);
  }
  assert.deepEqual(complaints, []);
});
