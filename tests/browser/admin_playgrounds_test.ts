import assert from "node:assert/strict";
import { type AdminCast, adminTest } from "./admin_cast.ts";
import { sidewaysScroll } from "./helpers.ts";
import { assertRendersWell } from "./rendering.ts";

const LIST = "/admin/playgrounds";
const LONG = {
  name: "Sandpit of the allotment",
  pygments_language: "Python",
  url_template: `https://play.example/${"long-path/".repeat(20)}{?code}`,
};

async function names(cast: AdminCast): Promise<readonly string[]> {
  const { realm_playgrounds } = await cast.call("owner", "POST /register", {
    event_types: ["realm_playgrounds"],
  });
  return realm_playgrounds.map(({ name }: { name: string }) => name);
}

adminTest("a code playground is added and deleted, without script too", async (cast) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, complaints } = await cast.visitAs("admin", LIST, { javaScriptEnabled });
    await page.getByLabel("Name").fill("Sandpit");
    await page.getByLabel("Language").fill("Python");
    await page.getByLabel("URL template").fill("https://play.example/");
    await page.getByRole("button", { name: "Add code playground" }).click();
    await page.getByText(/^Missing the required variable/).waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "Sandpit");
    await page.getByLabel("URL template").fill("https://play.example/{?code}");
    await page.getByRole("button", { name: "Add code playground" }).click();
    await page.getByText("Code playground Sandpit added.").waitFor();
    assert.deepEqual(await names(cast), ["Sandpit"]);
    await page.getByRole("link", { name: /^Delete/ }).click();
    await page.getByText("This cannot be undone.").waitFor();
    await page.getByRole("button", { name: "Delete code playground" }).click();
    await page.getByText("There are no code playgrounds yet.").waitFor();
    assert.deepEqual(await names(cast), []);
    assert.deepEqual(complaints, []);
  }
});

adminTest("the page of code playgrounds is accessible and never scrolls sideways", async (cast) => {
  await cast.call("admin", "POST /realm/playgrounds", LONG);
  const { page } = await cast.visitAs("owner", LIST, { bypassCSP: true });
  await page.getByRole("rowheader").getByText(LONG.name).waitFor();
  assert.equal(await sidewaysScroll(page), 0);
  await assertRendersWell(page, LIST);
});
