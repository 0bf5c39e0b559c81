import assert from "node:assert/strict";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { whenLive } from "./live.ts";
import { assertFits, assertRendersWell } from "./rendering.ts";

const PAGE = "/admin/activity?days=7";

/** Sends messages of two kinds as the owner. */
async function sendMessages({ call, people }: AdminCast): Promise<void> {
  const channel = { name: "beds", subscribers: [people.owner.id], announce: false };
  const { id } = await call("owner", "POST /channels/create", channel);
  await call("owner", "POST /messages", { type: "channel", to: id, topic: "soil", content: "hello" });
  for (const content of ["one", "two", "three"]) {
    await call("owner", "POST /messages", { type: "direct", to: [people.member.id], content });
  }
}

adminTest("the arrow keys read out the charts of the activity, and tables show them", async (cast) => {
  await sendMessages(cast);
  const { page, complaints } = await cast.visitAs("admin", `${PAGE}&kind=direct`);
  await whenLive(page);
  const messages = page.locator("#messages");
  const slider = messages.getByRole("slider", {
    name: "Messages by day. Read the chart with the arrow keys",
  });
  const readout = messages.locator("[data-readout]");
  await slider.focus();
  await readout.getByText(/: 3 messages\. Previous period: 0 messages\.$/).waitFor();
  await page.keyboard.press("ArrowLeft");
  await readout.getByText(/: 0 messages\. Previous period/).waitFor();
  assert.match(await slider.getAttribute("aria-valuetext") ?? "", /: 0 messages\./);
  await messages.getByText("View as table").click();
  assert.equal(await messages.getByRole("table", { name: "Messages by day" }).locator("tbody tr").count(), 7);
  assert.deepEqual(complaints, []);
});

adminTest("the activity page works without JavaScript: tables, kinds and chosen dates", async (cast) => {
  await sendMessages(cast);
  const { page, complaints } = await cast.visitAs("admin", PAGE, { javaScriptEnabled: false });
  const messages = page.locator("#messages");
  await messages.getByText("View as table").click();
  const newest = messages.getByRole("table", { name: "Messages by day" }).locator("tbody tr").first();
  assert.equal(await newest.locator("td").nth(2).textContent(), "3");
  await messages.getByRole("link", { name: "Direct messages", exact: true }).click();
  await messages.getByText(/^3 messages; none in the 7 days before\.$/).waitFor();
  await page.locator("#charts").getByText("Choose dates").click();
  await page.getByLabel("From").fill("2026-01-05");
  await page.getByLabel("To", { exact: true }).fill("2026-01-11");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/from=2026-01-05/);
  assert.match(page.url(), /kind=direct/);
  await messages.getByText("No messages in this period.").waitFor();
  assert.deepEqual(complaints, []);
});

adminTest("the activity page is accessible and fits small screens", async (cast) => {
  await sendMessages(cast);
  const { page, complaints } = await cast.visitAs("owner", PAGE, { bypassCSP: true });
  await assertFits(page, PAGE);
  for (const summary of await page.locator("main summary").all()) await summary.click();
  await assertRendersWell(page, PAGE);
  assert.deepEqual(complaints, []);
});
