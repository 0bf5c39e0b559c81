import assert from "node:assert/strict";
import {
  compileLinkifier,
  createLinkify,
  MAX_LINKS,
} from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import type { LinkifierFields } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";
import { linkifierFields } from "@/tests/casts/linkifiers_cast.ts";

function linkifyOf(...all: LinkifierFields[]) {
  return createLinkify(all.map(compileLinkifier).filter((linkifier) => linkifier !== null));
}

/** Returns the text and URL of each link. */
function linksIn(text: string, ...all: LinkifierFields[]): string[] {
  const found = linkifyOf(...all)(text).toSorted((one, other) => one.start - other.start);
  return found.map(({ start, end, url }) => `${text.slice(start, end)} ${url}`);
}

const ISSUE = linkifierFields("#(?P<id>\\d+)", "https://x.example/{id}");

Deno.test("createLinkify() links matches after whitespace, quotes, brackets, commas and colons, not before letters or digits", () => {
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

Deno.test("createLinkify() links adjacent matches that share a separator", () => {
  assert.deepEqual(linksIn("#1 #2,#3", ISSUE).map((link) => link.slice(0, 2)), ["#1", "#2", "#3"]);
});

Deno.test("createLinkify() lets earlier linkifiers override later ones only where they overlap", () => {
  const long = linkifierFields("PR #(?P<n>\\d+)", "https://pr.example/{n}");
  assert.deepEqual(linksIn("PR #1 and #2", long, ISSUE), [
    "PR #1 https://pr.example/1",
    "#2 https://x.example/2",
  ]);
  assert.deepEqual(linksIn("PR #1 and PR #2", ISSUE, long), [
    "#1 https://x.example/1",
    "#2 https://x.example/2",
  ]);
  const one = linksIn("#1 #2", linkifierFields("#1 #(?P<id>\\d)", "https://both.example/{id}"), ISSUE);
  assert.deepEqual(one, ["#1 #2 https://both.example/2"]);
});

Deno.test("createLinkify() ignores empty matches", () => {
  assert.deepEqual(linksIn("a b  c", linkifierFields("x*")), []);
  assert.deepEqual(linksIn("a #7 c", linkifierFields("(?:#7)?")), ["#7 https://x.example/"]);
  assert.deepEqual(linksIn("", ISSUE), []);
});

Deno.test("createLinkify() links only absolute http, https and mailto URLs without credentials", () => {
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
    assert.deepEqual(linksIn(`go:${value}`, linkifierFields("(?P<x>\\S+)", "{+x}")), [], value);
    assert.deepEqual(linksIn(value, linkifierFields("(?P<x>.+)", "{+x}")), [], value);
  }
  assert.deepEqual(linksIn("7", linkifierFields("(?P<id>\\d)", "javascript:{id}")), []);
  assert.deepEqual(linksIn("x.example/", linkifierFields("(?P<id>.*)", "https://good.example@{+id}")), []);
  assert.equal(linksIn("x", linkifierFields("(?P<x>.+)", "mailto:{x}@y.example")).length, 1);
  assert.equal(linksIn("HTTP://X.example", linkifierFields("(?P<x>.+)", "{+x}")).length, 1);
});

Deno.test("createLinkify() encodes group values in the URL", () => {
  const [link] = linksIn(`a"onmouseover=x <b>\\'/?#&`, linkifierFields("(?P<x>.+)", "https://x.example/{x}"));
  assert.match(link ?? "", /https:\/\/x\.example\/[A-Za-z0-9%\-._~]+$/);
});

Deno.test("createLinkify() omits groups that did not participate from the URL", () => {
  const optional = linkifierFields("t(?P<a>\\d+)?(?P<b>[x-z])?", "https://x.example/{a}{?b}");
  assert.deepEqual(linksIn("t1 ty", optional), ["t1 https://x.example/1", "ty https://x.example/?b=y"]);
});

Deno.test("createLinkify() limits the number of links over all texts of a message", () => {
  const linkify = linkifyOf(ISSUE);
  const lines = Array.from({ length: MAX_LINKS + 100 }, () => "#1");
  const found = lines.flatMap((line) => linkify(line));
  assert.equal(found.length, MAX_LINKS);
});

Deno.test("createLinkify() bounds the work of hostile patterns with deterministic results", () => {
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
    const all = Array.from({ length: 200 }, () => linkifierFields(pattern));
    const first = linkifyOf(...all)(text);
    assert.deepEqual(linkifyOf(...all)(text), first, pattern);
    assert.ok(first.length < 1000, pattern);
  }
});

Deno.test("createLinkify() limits the length of a URL and of all URLs together", () => {
  assert.deepEqual(
    linksIn("a".repeat(1500), linkifierFields("(?P<x>a+)", "https://x.example/{x}{x}{x}")),
    [],
  );
  const linkify = linkifyOf(linkifierFields("(?P<x>a+)", "https://x.example/{x}{x}{x}"));
  const links = Array.from({ length: 60 }, () => linkify("a".repeat(900))).flat();
  assert.equal(links.length, 36, "36 URLs of 2,718 characters fit into 100,000");
});
