import assert from "node:assert/strict";
import { compileLinkifier, createLinkify, MAX_LINKS } from "@/lib/chat/linkifiers/find_links.ts";
import type { LinkifierFields } from "@/lib/chat/linkifiers/linkifier.ts";
import { fields } from "./fields.ts";

function linkifyOf(...all: LinkifierFields[]) {
  return createLinkify(all.map(compileLinkifier).filter((linkifier) => linkifier !== null));
}

/** What becomes links, and where they lead. */
function linksIn(text: string, ...all: LinkifierFields[]): string[] {
  const found = linkifyOf(...all)(text).toSorted((one, other) => one.start - other.start);
  return found.map(({ start, end, url }) => `${text.slice(start, end)} ${url}`);
}

const ISSUE = fields("#(?P<id>\\d+)", "https://x.example/{id}");

Deno.test("a match begins after a blank, quotation mark, bracket, comma or colon, and no letter or digit follows", () => {
  const linked = [
    "#1",
    " #1",
    "\t#1",
    "\u00a0#1",
    "\u0085#1",
    "\u3000#1",
    "'#1",
    '"#1',
    "(#1",
    ",#1",
    ":#1",
    "<#1",
  ];
  const after = ["#1 ", "#1.", "#1)", "#1_", "#1-", "#1😀", "😀 #1 😀"];
  for (const text of [...linked, ...after]) {
    assert.deepEqual(linksIn(text, ISSUE), ["#1 https://x.example/1"], text);
  }
  for (const text of ["a#1", "1#1", "_#1", "-#1", "é#1", ".#1", "#1a", "#1é", "#1Ω", "##1"]) {
    assert.deepEqual(linksIn(text, ISSUE), [], text);
  }
});

Deno.test("neighbours that share the blank between them both become links", () => {
  assert.deepEqual(linksIn("#1 #2,#3", ISSUE).map((link) => link.slice(0, 2)), ["#1", "#2", "#3"]);
});

Deno.test("an earlier linkifier wins over a later one where they overlap, and the later one acts elsewhere", () => {
  const long = fields("PR #(?P<n>\\d+)", "https://pr.example/{n}");
  assert.deepEqual(linksIn("PR #1 and #2", long, ISSUE), [
    "PR #1 https://pr.example/1",
    "#2 https://x.example/2",
  ]);
  assert.deepEqual(linksIn("PR #1 and PR #2", ISSUE, long), [
    "#1 https://x.example/1",
    "#2 https://x.example/2",
  ]);
  const one = linksIn("#1 #2", fields("#1 #(?P<id>\\d)", "https://both.example/{id}"), ISSUE);
  assert.deepEqual(one, ["#1 #2 https://both.example/2"]);
});

Deno.test("nothing never becomes a link", () => {
  assert.deepEqual(linksIn("a b  c", fields("x*")), []);
  assert.deepEqual(linksIn("a #7 c", fields("(?:#7)?")), ["#7 https://x.example/"]);
  assert.deepEqual(linksIn("", ISSUE), []);
});

Deno.test("only addresses elsewhere by http, https and mailto become links, and none with a name in them", () => {
  const values = [
    "javascript:alert(1)",
    "JaVaScript:x",
    "data:text/html,x",
    "/local",
    "//x.example",
    "#part",
    "ftp://x",
  ];
  const odd = [
    "https:x",
    "https:///x",
    "https://",
    "http://a@b.example/",
    "https://u:p@b.example/",
    "x",
    "mailto:x",
  ];
  for (const value of [...values, ...odd]) {
    assert.deepEqual(linksIn(`go:${value}`, fields("(?P<x>\\S+)", "{+x}")), [], value);
    assert.deepEqual(linksIn(value, fields("(?P<x>.+)", "{+x}")), [], value);
  }
  assert.deepEqual(linksIn("7", fields("(?P<id>\\d)", "javascript:{id}")), []);
  assert.deepEqual(linksIn("x.example/", fields("(?P<id>.*)", "https://good.example@{+id}")), []);
  assert.equal(linksIn("x", fields("(?P<x>.+)", "mailto:{x}@y.example")).length, 1);
  assert.equal(linksIn("HTTP://X.example", fields("(?P<x>.+)", "{+x}")).length, 1);
});

Deno.test("what a group holds cannot leave its place in an address", () => {
  const [link] = linksIn(`a"onmouseover=x <b>\\'/?#&`, fields("(?P<x>.+)", "https://x.example/{x}"));
  assert.match(link ?? "", /https:\/\/x\.example\/[A-Za-z0-9%\-._~]+$/);
});

Deno.test("groups that took no part are left out of the address", () => {
  const optional = fields("t(?P<a>\\d+)?(?P<b>[x-z])?", "https://x.example/{a}{?b}");
  assert.deepEqual(linksIn("t1 ty", optional), ["t1 https://x.example/1", "ty https://x.example/?b=y"]);
});

Deno.test("a message gets a bounded number of links, over all its texts", () => {
  const linkify = linkifyOf(ISSUE);
  const lines = Array.from({ length: MAX_LINKS + 100 }, () => "#1");
  const found = lines.flatMap((line) => linkify(line));
  assert.equal(found.length, MAX_LINKS);
});

Deno.test("hostile patterns on a long text use up the message's share of work, and the same text gives the same", () => {
  const patterns = [
    "^(a+)+$",
    "(a|a)*b",
    "(x+x+)+y",
    "(a.*z|a)",
    "(.*)(.*)(.*)(.*)z|a",
    "(?:[ab ]*a[ab ]{60})|z",
  ];
  const text = "a ".repeat(5000);
  for (const pattern of patterns) {
    const all = Array.from({ length: 200 }, () => fields(pattern));
    const first = linkifyOf(...all)(text);
    assert.deepEqual(linkifyOf(...all)(text), first, pattern);
    assert.ok(first.length < 1000, pattern);
  }
});

Deno.test("an address that is too long, and addresses that are too many, stay text", () => {
  assert.deepEqual(linksIn("a".repeat(1500), fields("(?P<x>a+)", "https://x.example/{x}{x}{x}")), []);
  const linkify = linkifyOf(fields("(?P<x>a+)", "https://x.example/{x}{x}{x}"));
  const links = Array.from({ length: 60 }, () => linkify("a".repeat(900))).flat();
  assert.equal(links.length, 36, "36 addresses of 2,718 take 100,000");
});
