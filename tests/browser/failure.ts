import type { Browser, Page } from "playwright-core";

/** Milliseconds that a page of a failed test has to show itself; a page with an open dialog does not. */
const LOOK_MS = 10_000;
/** Characters of a page's text that a failure shows. */
const TEXT_CHARACTERS = 3000;

/** Describes the open pages of a browser, each with its address, its text and the path of a picture of it. */
export async function describePages(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  return (await Promise.all(pages.map(describePage))).join("\n");
}

async function describePage(page: Page): Promise<string> {
  const picture = await Deno.makeTempFile({ prefix: "sotto-page-", suffix: ".png" });
  const text = await page.locator("body").innerText({ timeout: LOOK_MS }).catch(toReason);
  const saved = await page.screenshot({ path: picture, timeout: LOOK_MS }).then(() => picture, toReason);
  return `The page ${page.url()}\nPicture: ${saved}\nText: ${text.slice(0, TEXT_CHARACTERS)}`;
}

function toReason(error: unknown): string {
  return `(not available: ${error})`;
}
