import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { adminTest, ORGANIZATION } from "./admin_cast.ts";
import { adminPaths, SAMPLE_NAMES } from "./admin_walk.ts";
import { sidewaysScroll } from "./helpers.ts";
import { whenLive } from "./live.ts";

/** Elements without natural language: code, key names, and text marked as English in every language. */
const NO_LANGUAGE = "script, style, code, kbd, body [lang=en]";
/** Attributes with text for screen readers and placeholders. */
const TEXT_ATTRIBUTES = ["aria-label", "aria-description", "aria-valuetext", "title", "placeholder", "alt"];
/** Names that are the same in every language, and addresses. */
const FIXED = ["Sotto", "GitHub", "Twitter", "https://example.com/%(username)s", "https://", "http://"];
/** Example matches of the linkifier templates. */
const EXAMPLES = ["ABC-123", "acme/website#123", "a3f9c21", "docs:guides/start", "find:tulips"];
/** Text that Intl formats in the test language. */
const INTL =
  "\\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\\b|\\b(AM|PM|UTC)\\b|\\bin \\d+ \\w+\\b|\\b\\d+ \\w+ ago\\b|\\b(now|today|yesterday|tomorrow|this minute)\\b";

/**
 * Returns the visible and spoken texts of a page with a letter that neither the translation marked nor `known`
 * explains.
 */
function findUntranslatedTexts(page: Page, known: readonly string[]): Promise<string[]> {
  const longestFirst = known.toSorted((one, other) => other.length - one.length);
  const given = { noLanguage: NO_LANGUAGE, attributes: TEXT_ATTRIBUTES, intl: INTL, known: longestFirst };
  return page.evaluate(({ noLanguage, attributes, intl, known }) => {
    const isOurs = (text: string) => {
      let rest = text;
      for (const name of known) rest = rest.replaceAll(name, " ");
      for (let whole = ""; whole !== rest;) {
        whole = rest;
        rest = rest.replace(/⟦[^⟦⟧]*⟧/g, " ");
      }
      // Only a part of a phrase with names is visible here; its letters carry accents.
      return !/[a-z]/i.test(rest.replace(new RegExp(intl, "g"), " "));
    };
    /** The content of noscript elements is parsed; here it is plain text. */
    const withoutTags = (html: string) => new DOMParser().parseFromString(html, "text/html").body.textContent;
    // Words that may break are one text.
    for (const breakPoint of document.querySelectorAll("wbr")) breakPoint.remove();
    document.body.normalize();
    const texts: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const around = node.parentElement;
      const text = node.textContent ?? "";
      if (around?.closest(noLanguage) === null) {
        texts.push(around.localName === "noscript" ? withoutTags(text) : text);
      }
    }
    for (const element of document.querySelectorAll("body *")) {
      // Labels that the style sheet draws are text in their element's language.
      if (element.closest("body [lang=en]") !== null) continue;
      for (const { name, value } of element.attributes) {
        // Messages for scripts are in the page's data.
        if (attributes.includes(name) || (name.startsWith("data-") && value.includes(" "))) texts.push(value);
      }
    }
    return texts.map((text) => text.trim()).filter((text) => !isOurs(text));
  }, given);
}

adminTest("every text of every admin page is translated", async (cast) => {
  const paths = await adminPaths(cast);
  const { page } = await cast.visitAs("owner", "/admin", { locale: "en-XA" });
  const names = Object.values(cast.people).flatMap(({ fullName, email }) => [email, fullName]);
  const known = [
    ...FIXED,
    ...EXAMPLES,
    new URL(cast.site.baseUrl).host,
    ORGANIZATION,
    ...names,
    ...SAMPLE_NAMES,
  ];
  const problems: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await whenLive(page);
    assert.equal(await page.locator("html").getAttribute("lang"), "en-XA", path);
    const stray = new Set(await findUntranslatedTexts(page, known));
    problems.push(...[...stray].map((text) => `${path}: ${text}`));
  }
  assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
});

adminTest("the text of the admin error pages is translated", async (cast) => {
  const shown: string[] = [];
  for (
    const [part, path] of [["owner", "/admin/groups/999"], ["owner", "/admin/no/such/page"], [
      "member",
      "/admin/audit",
    ]] as const
  ) {
    const { page } = await cast.visitAs(part, path, { locale: "en-XA" });
    assert.equal(await page.locator("html").getAttribute("lang"), "en-XA", path);
    assert.equal(await page.locator("h1").count(), 1);
    // The reason for a refusal is a sentence of the domain, the same as in the API.
    const why = await page.locator("main p[dir=auto]").textContent() ?? "";
    shown.push(
      ...await findUntranslatedTexts(page, [...FIXED, ORGANIZATION, cast.people.owner.fullName, why]),
    );
    assert.match(await page.getByRole("link").last().getAttribute("href") ?? "", /^\/(admin|account)$/);
  }
  assert.deepEqual(shown, []);
});

adminTest("in a right-to-left language every admin page is mirrored and fits", async (cast) => {
  const paths = await adminPaths(cast);
  const { page } = await cast.visitAs("owner", "/admin", { locale: "ar-XB" });
  const problems: string[] = [];
  for (const path of paths) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(path);
    assert.equal(await page.locator("html").getAttribute("dir"), "rtl", path);
    const rail = await page.locator("header").first().boundingBox();
    const content = await page.locator("main").boundingBox();
    if ((rail?.x ?? 0) < (content?.x ?? 0)) problems.push(`${path} has the rail on the left`);
    for (const width of [1280, 760, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      if (await sidewaysScroll(page) > 0) problems.push(`${path} can be scrolled sideways at ${width} px`);
    }
  }
  assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
});
