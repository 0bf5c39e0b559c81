import assert from "node:assert/strict";
import { parseSetCookie } from "cookie";
import { readCookie, readSessionToken, setCookie } from "@/lib/api/cookies.ts";
import { readFlashMessage, setFlashMessage } from "@/lib/pages/flash_message.ts";
import { readSingleKeys } from "@/lib/pages/single_keys.ts";
import { readTheme } from "@/lib/pages/theme.ts";

function withCookie(cookie: string): Request {
  return new Request("http://localhost", { headers: { cookie } });
}

Deno.test("readCookie() returns a value as it was received, and null without one", () => {
  assert.equal(readCookie(new Request("http://localhost"), "a", false), null);
  for (const cookie of ["", "a", "a=", "a=; a=1", "=a", "b=a=1", "aa=1", ";;", "A=1"]) {
    assert.equal(readCookie(withCookie(cookie), "a", false), null, cookie);
  }
  for (const value of ["1", "%zz", "%41", "x=y", '"1"', "constructor"]) {
    assert.equal(readCookie(withCookie(`b=2;  a=${value} ;c`), "a", false), value);
  }
  for (const name of ["__proto__", "constructor", "toString"]) {
    assert.equal(readCookie(withCookie("b=2"), name, false), null, name);
    assert.equal(readCookie(withCookie(`${name}=2`), name, false), "2", name);
  }
});

Deno.test("setCookie() hides cookies from scripts and from forms of other sites", () => {
  const headers = new Headers();
  setCookie(headers, { name: "a", value: "x%20y", maxAge: 5 }, false);
  setCookie(headers, { name: "b", value: "", maxAge: 0, path: "/admin" }, false);
  setCookie(headers, { name: "c", value: "", maxAge: 0, path: "/admin" }, true);
  const shared = { httpOnly: true, sameSite: "lax" };
  assert.deepEqual(headers.getSetCookie().map((line) => parseSetCookie(line)), [
    { ...shared, name: "a", value: "x y", maxAge: 5, path: "/" },
    { ...shared, name: "b", value: "", maxAge: 0, path: "/admin" },
    { ...shared, name: "__Host-c", value: "", maxAge: 0, path: "/", secure: true },
  ]);
  const value = "x; Domain=example.com";
  assert.throws(() => setCookie(headers, { name: "a", value, maxAge: 5 }, false), TypeError);
});

Deno.test("malformed cookies are not decoded into tokens, messages or choices", () => {
  const request = withCookie("sotto_session=%zz%41; sotto_done=%zz; sotto_theme=%zz; sotto_keys=%zz");
  assert.equal(readSessionToken(request, false), "%zz%41");
  assert.equal(readFlashMessage(request, false), null);
  assert.equal(readTheme(request, false), "system");
  assert.equal(readSingleKeys(request, false), true);
});

Deno.test("a flash message returns unchanged, cut to 300 characters, without lone surrogates", () => {
  const sent = (text: string) => {
    const headers = new Headers();
    setFlashMessage(headers, { text }, false);
    return readFlashMessage(withCookie(headers.getSetCookie()[0]?.split(";")[0] ?? ""), false)?.text;
  };
  for (const text of ["Saved.", 'a; b=c, "d" \\ 100 % – 🐝', "%41"]) assert.equal(sent(text), text);
  assert.equal(sent("🐝".repeat(301)), "🐝".repeat(300));
  assert.equal(sent("a\ud83d"), "a\ufffd");
});

Deno.test("a flash message carries the form of an administration page that reverses the action", () => {
  const sent = (path: string) => {
    const headers = new Headers();
    const undo = { path, fields: { action: "reactivate" } };
    setFlashMessage(headers, { text: "Ada deactivated.", undo }, false);
    return readFlashMessage(withCookie(headers.getSetCookie()[0]?.split(";")[0] ?? ""), false);
  };
  const undo = { path: "/admin/users/5", fields: { action: "reactivate" } };
  assert.deepEqual(sent("/admin/users/5"), { text: "Ada deactivated.", undo });
  assert.equal(sent("https://elsewhere.example/admin/"), null);
});
