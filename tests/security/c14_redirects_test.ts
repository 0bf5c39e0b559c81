import assert from "node:assert/strict";
import { safePath } from "@/lib/api/same_origin.ts";
import { PASSWORD, startChat } from "@/tests/helpers/chat.ts";
import fc, { codePoint, numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

const ORIGIN = "https://sotto.example";
const ELSEWHERE = "/otherwise";

/** Whether a browser on a page of the origin stays there when it is sent to a path. */
function staysHere(path: string): boolean {
  const url = URL.parse(path, `${ORIGIN}/login`);
  return url?.origin === ORIGIN && path.startsWith("/") && !/^\/[/\\]/.test(path);
}

/** Texts of the characters that have a meaning in addresses. */
const hostile = fc.array(
  fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "//",
    "%2f",
    "%5c",
    "%2e",
    "?",
    "#",
    "@",
    ":",
    "\t",
    "\n",
    "evil.com",
    "http:",
  ),
  { maxLength: 12 },
).map((parts) => parts.join(""));

Deno.test("C14: safePath() never returns a path that leads to another site", () => {
  const known = [
    "/.//evil.com",
    "/..//evil.com",
    "/a/..//evil.com",
    "/./\\evil.com",
    "/%2e//evil.com",
    "//evil.com",
  ];
  for (const wanted of known) assert.equal(safePath(wanted, ELSEWHERE), ELSEWHERE, wanted);
  fc.assert(fc.property(hostile, (wanted) => staysHere(safePath(wanted, ELSEWHERE))), numberOfRuns(1500));
  fc.assert(
    fc.property(hostile, (wanted) => staysHere(safePath(`/${wanted}`, ELSEWHERE))),
    numberOfRuns(1500),
  );
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (wanted) => staysHere(safePath(`/${wanted}`, ELSEWHERE))),
  );
});

Deno.test("C14: safePath() keeps the paths and queries of this site", () => {
  for (const path of ["/account", "/admin/users?search=a%2F%2Fb", "/a/b/", "/?next=//evil.com"]) {
    assert.equal(safePath(path, ELSEWHERE), path);
  }
});

Deno.test("C14: signing in leads to no other site, whatever the page was asked for", async () => {
  await using chat = await startChat();
  const browser = await signIn(chat, chat.member);
  for (const next of ["/.//evil.com", "/..//evil.com", "//evil.com", "/\\evil.com", "https://evil.com"]) {
    assert.equal((await browser.get(`/login?next=${encodeURIComponent(next)}`)).location, "/account", next);
    const fields = { username: chat.member.email, password: PASSWORD, next };
    assert.equal((await visitPages(chat).post("/login", fields)).location, "/account", next);
  }
});
