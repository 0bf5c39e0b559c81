import assert from "node:assert/strict";
import { adminTest, ORGANIZATION } from "./admin_cast.ts";
import { adminPaths, SAMPLE_NAMES } from "./admin_walk.ts";
import { sidewaysScroll } from "./helpers.ts";

/** Where people's own words stand, and what is no language. */
const NOT_OURS =
  "bdi, [dir=auto], code, kbd, samp, time, script, style, noscript, svg, .font-mono, span:has(> code) > span";
/** Names that are the same in every language, and addresses. */
const FIXED = ["Sotto", "GitHub", "Twitter", "https://example.com/%(username)s", "https://"];
/** What a language that Intl knows writes by itself. */
const INTL =
  "\\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\\b|\\b(AM|PM|UTC)\\b|\\bin \\d+ \\w+\\b|\\b\\d+ \\w+ ago\\b|\\b(now|today|yesterday|tomorrow|this minute)\\b";

adminTest("every text of every admin page comes from the catalogue", async (cast) => {
  const paths = await adminPaths(cast);
  const { page } = await cast.visitAs("owner", "/admin", { locale: "en-XA" });
  const names = Object.values(cast.people).flatMap(({ fullName, email }) => [email, fullName]);
  const known = [...FIXED, new URL(cast.site.baseUrl).host, ORGANIZATION, ...names, ...SAMPLE_NAMES];
  const problems: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    assert.equal(await page.locator("html").getAttribute("lang"), "en-XA", path);
    const found = await page.evaluate(({ notOurs, intl, known }) => {
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
      const texts: string[] = [document.title];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.parentElement?.closest(notOurs) === null) texts.push(node.textContent ?? "");
      }
      for (const name of ["aria-label", "title", "placeholder", "alt"]) {
        for (const element of document.querySelectorAll(`[${name}]`)) {
          texts.push(element.getAttribute(name) ?? "");
        }
      }
      return texts.map((text) => text.trim()).filter((text) => !isOurs(text));
    }, { notOurs: NOT_OURS, intl: INTL, known });
    problems.push(...new Set(found.map((text) => `${path}: ${text}`)));
  }
  assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
});

adminTest("in a language from right to left every admin page is mirrored and fits", async (cast) => {
  const paths = await adminPaths(cast);
  const { page } = await cast.visitAs("owner", "/admin", { locale: "ar-XB" });
  const problems: string[] = [];
  for (const path of paths) {
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      assert.equal(await page.locator("html").getAttribute("dir"), "rtl", path);
      if (await sidewaysScroll(page) > 0) problems.push(`${path} can be scrolled sideways at ${width} px`);
    }
    const [rail, content] = await Promise.all([
      page.locator("header").first().boundingBox(),
      page.locator("main").boundingBox(),
    ]);
    if ((rail?.x ?? 0) < (content?.x ?? 0)) problems.push(`${path} has the rail on the left`);
  }
  assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
});
