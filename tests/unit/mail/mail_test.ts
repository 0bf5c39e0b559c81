import assert from "node:assert/strict";
import { composeMail, type MailContent } from "@/lib/mail/mail.ts";
import { getMailSender } from "@/lib/mail/mail.ts";

const content: MailContent = {
  to: { name: "Noor", address: "noor@example.com" },
  subject: "Ada invites you to Acme",
  greeting: "Hello Noor,",
  paragraphs: ["Ada Admin invites you to join Acme.", "She writes:\r\nSee you there."],
  action: { label: "Accept the invitation", url: "https://sotto.example/join/q4nf?a=1&b=2" },
  footer: "The invitation ends on 1 December.",
};

/** Returns the visible text of the HTML part. */
function wordsOf(html: string): string[] {
  const body = html.slice(html.indexOf("<body"));
  const text = body.replace(/<[^>]*>/g, " ").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return text.split(/\s+/).filter((word) => word !== "");
}

Deno.test("composeMail() arranges the text part from top to bottom", () => {
  const { to, subject, text } = composeMail(content);
  assert.deepEqual(to, content.to);
  assert.equal(subject, content.subject);
  assert.equal(
    text,
    "Hello Noor,\n\nAda Admin invites you to join Acme.\n\nShe writes:\nSee you there.\n\n" +
      "Accept the invitation:\nhttps://sotto.example/join/q4nf?a=1&b=2\n\nThe invitation ends on 1 December.\n",
  );
});

Deno.test("composeMail() has the same text in both parts", () => {
  const odd = { ...content, paragraphs: [`<b>5 > 3 & "2" isn't 'x'</b>`, "Zoë Åström ጽጌ 🐘"] };
  for (const each of [content, odd]) {
    const { text, html } = composeMail(each);
    const words = text.replace(`${content.action?.label}:`, content.action?.label ?? "").split(/\s+/);
    assert.deepEqual(wordsOf(html), words.filter((word) => word !== ""));
  }
});

Deno.test("composeMail() omits a missing button and footer", () => {
  const { action: _, ...without } = content;
  const { text, html } = composeMail({ ...without, paragraphs: [], footer: "" });
  assert.equal(text, "Hello Noor,\n");
  assert.doesNotMatch(html, /<a |<p/);
});

Deno.test("composeMail() escapes every value", () => {
  const evil = `"><img src=x onerror='alert(1)'>&`;
  const { html } = composeMail({
    to: { name: evil, address: "noor@example.com" },
    subject: evil,
    greeting: evil,
    paragraphs: [evil],
    action: { label: evil, url: `https://sotto.example/join/x?"><img src=x>` },
    footer: evil,
  });
  assert.doesNotMatch(html, /<img/);
  assert.equal(html.split("&quot;&gt;&lt;img src=x onerror='alert(1)'&gt;&amp;").length, 6);
});

Deno.test("composeMail() writes every attribute in double quotes", () => {
  const { html } = composeMail({ ...content, paragraphs: ["<b title='x'>", `it's "so"`] });
  const tags = html.match(/<[^>]*>/g) ?? [];
  assert.ok(tags.length > 20 && html.includes("it's &quot;so&quot;"));
  for (const tag of tags) assert.match(tag, /^<(!doctype html|\/[a-z\d]+|[a-z\d]+( [a-z]+="[^"<>]*")*)>$/);
});

Deno.test("composeMail() creates HTML without external resources or tracking", () => {
  const { html } = composeMail(content);
  assert.doesNotMatch(
    html,
    /<(img|link|script|style|iframe|object|form)\b|url\(|@import|\bsrc=|\bbackground=/i,
  );
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  assert.deepEqual(links, ["https://sotto.example/join/q4nf?a=1&amp;b=2"]);
});

Deno.test("composeMail() replaces control characters in names and subjects by spaces", () => {
  const { to, subject, text } = composeMail({
    ...content,
    to: { name: "Noor\r\nBcc: x@y.example\0\u202e\u2028", address: "noor@example.com" },
    subject: "Hi\r\n\r\n<h1>\u007f\u0085there\ud800",
    greeting: "Hello\nNoor,",
  });
  assert.equal(to.name, "Noor Bcc: x@y.example");
  assert.equal(subject, "Hi <h1> there\ufffd");
  assert.match(text, /^Hello Noor,\n\n/);
});

Deno.test("composeMail() keeps names of every script unchanged", () => {
  for (const name of ["Zoë Åström", "李小龍", "محمد", "Ὀδυσσεύς", "👩‍🚀 Ada", "O’Neil"]) {
    assert.equal(composeMail({ ...content, to: { name, address: "a@example.com" } }).to.name, name);
  }
});

Deno.test("composeMail() refuses anything but one plain address", () => {
  const bad = [
    "",
    "noor",
    "noor@",
    "@example.com",
    "a@b@example.com",
    "noor@example.com\r\nBcc: x@y.example",
    "noor@example.com\n",
    "noor@example.com, x@y.example",
    "noor@example.com;x@y.example",
    "Noor <noor@example.com>",
    "<noor@example.com>",
    '"x@y.example"@example.com',
    "noor@exam ple.com",
    "noor@exam\u200bple.com",
    `${"a".repeat(250)}@example.com`,
  ];
  for (const address of bad) {
    const compose = () => composeMail({ ...content, to: { name: "Noor", address } });
    assert.throws(compose, { code: "BAD_REQUEST" }, JSON.stringify(address));
  }
  composeMail({ ...content, to: { name: "", address: "noor+tag.x_y@sub.exämple.com" } });
});

Deno.test("composeMail() refuses an action without a web address", () => {
  for (const url of ["javascript:alert(1)", "data:text/html,x", "/join/x"]) {
    assert.throws(() => composeMail({ ...content, action: { label: "Open", url } }));
  }
});

Deno.test("getMailSender() returns the configured sender, or one at the host of the base URL", () => {
  const at = (baseUrl: string) => getMailSender({ mailFrom: null, baseUrl });
  assert.equal(getMailSender({ mailFrom: "x@y.example", baseUrl: "https://z.example" }), "x@y.example");
  assert.equal(at("https://sotto.example:8443"), "Sotto <noreply@sotto.example>");
  assert.equal(at("http://localhost:8000"), "Sotto <noreply@localhost>");
  assert.equal(at("http://192.0.2.7:8000"), "Sotto <noreply@[192.0.2.7]>");
  assert.equal(at("http://[2001:db8::1]:8000"), "Sotto <noreply@[IPv6:2001:db8::1]>");
});
