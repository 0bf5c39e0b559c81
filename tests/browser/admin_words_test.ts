import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { adminTest, ORGANIZATION, whenLive } from "./admin_cast.ts";
import { adminPaths, SAMPLE_NAMES } from "./admin_walk.ts";
import { sidewaysScroll } from "./helpers.ts";

/** What is no language: programs, codes, and the names of keys; and what is marked as English in every language. */
const NO_LANGUAGE = "script, style, code, kbd, body [lang=en]";
/** What is said to somebody who cannot see or has not begun. */
const SPOKEN_ATTRIBUTES = ["aria-label", "aria-description", "aria-valuetext", "title", "placeholder", "alt"];
/** Names that are the same in every language, and addresses. */
const FIXED = ["Sotto", "GitHub", "Twitter", "https://example.com/%(username)s", "https://"];
/** What ready-made linkifiers find. */
const EXAMPLES = ["ABC-123", "acme/website#123", "a3f9c21", "docs:guides/start", "find:tulips"];
/** What a language that Intl knows writes by itself. */
const INTL =
  "\\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\\b|\\b(AM|PM|UTC)\\b|\\bin \\d+ \\w+\\b|\\b\\d+ \\w+ ago\\b|\\b(now|today|yesterday|tomorrow|this minute)\\b";

/** The texts of a page, seen or heard, that hold a letter which neither the catalogue marked nor `known` explains. */
function strayTexts(page: Page, known: readonly string[]): Promise<string[]> {
  const longestFirst = known.toSorted((one, other) => other.length - one.length);
  const given = { noLanguage: NO_LANGUAGE, attributes: SPOKEN_ATTRIBUTES, intl: INTL, known: longestFirst };
  return page.evaluate(({ noLanguage, attributes, intl, known }) => {
    const isOurs = (text: string) => {
      let rest = text;
      for (const name of known) rest = rest.replaceAll(name, " ");
      for (let whole = ""; whole !== rest;) {
        whole = rest;
        rest = rest.replace(/⟦[^⟦⟧]*⟧/g, " ");
      }
      // Of a phrase that names stand in only a part is seen here; its letters carry accents.
      return !/[a-z]/i.test(rest.replace(new RegExp(intl, "g"), " "));
    };
    /** Without script its content is read; here it is one text. */
    const withoutTags = (html: string) => new DOMParser().parseFromString(html, "text/html").body.textContent;
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
      for (const { name, value } of element.attributes) {
        // What a script will say waits in the page's data.
        if (attributes.includes(name) || (name.startsWith("data-") && value.includes(" "))) texts.push(value);
      }
    }
    return texts.map((text) => text.trim()).filter((text) => !isOurs(text));
  }, given);
}

adminTest("every text of every admin page comes from the catalogue", async (cast) => {
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
    const stray = new Set(await strayTexts(page, known));
    problems.push(...[...stray].map((text) => `${path}: ${text}`));
  }
  assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
});

adminTest("what stands in place of an admin page comes from the catalogue too", async (cast) => {
  const shown: string[] = [];
  for (
    const [part, path] of [["owner", "/admin/groups/999"], ["owner", "/admin/no/such/page"], [
      "member",
      "/admin",
    ]] as const
  ) {
    const { page } = await cast.visitAs(part, path, { locale: "en-XA" });
    assert.equal(await page.locator("html").getAttribute("lang"), "en-XA", path);
    assert.equal(await page.locator("h1").count(), 1);
    // Why something is refused is a sentence of its domain, as programs get it.
    const why = await page.locator("main p[dir=auto]").textContent() ?? "";
    shown.push(...await strayTexts(page, [...FIXED, ORGANIZATION, cast.people.owner.fullName, why]));
    assert.match(await page.getByRole("link").last().getAttribute("href") ?? "", /^\/(admin|account)$/);
  }
  assert.deepEqual(shown, []);
});

adminTest("in a language from right to left every admin page is mirrored and fits", async (cast) => {
  const paths = await adminPaths(cast);
  const { page } = await cast.visitAs("owner", "/admin", { locale: "ar-XB" });
  const problems: string[] = [];
  for (const path of paths) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(path);
    assert.equal(await page.locator("html").getAttribute("dir"), "rtl", path);
    const [rail, content] = await Promise.all([
      page.locator("header").first().boundingBox(),
      page.locator("main").boundingBox(),
    ]);
    if ((rail?.x ?? 0) < (content?.x ?? 0)) problems.push(`${path} has the rail on the left`);
    for (const width of [1280, 760, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      if (await sidewaysScroll(page) > 0) problems.push(`${path} can be scrolled sideways at ${width} px`);
    }
  }
  assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
});
