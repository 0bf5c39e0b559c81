import { AppError } from "@/lib/core/errors.ts";
import { type Html, toHtml } from "@/lib/core/text.ts";
import { durably } from "@/lib/store/durably.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";

/** A mail to one recipient, with the same text in a plain and an HTML part. */
export interface Mail {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Content of a mail, as plain text from top to bottom. */
export interface MailContent {
  /** The name may be empty. */
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly greeting: string;
  /** Line breaks within a paragraph are kept. */
  readonly paragraphs: readonly string[];
  /** Link button of the mail, with an http or https URL. */
  readonly action?: { readonly label: string; readonly url: string };
  readonly footer: string;
}

/** Colors and fonts of the pages, in a form that mail programs support. */
const PAPER = "#fbfaf7";
const INK = "#181b20";
const SOFT = "#575b62";
const RULE = "#e1e0db";
const ACCENT = "#ad301c";
const SERIF = "Newsreader,Georgia,serif";
const SANS = "Inter,system-ui,-apple-system,'Segoe UI',sans-serif";
const MONO = "'JetBrains Mono',ui-monospace,Menlo,monospace";

/**
 * Composes a mail with a plain part and an HTML part without external resources. Control characters in names
 * and in the subject are replaced by spaces, and every value is escaped.
 * @throws AppError BAD_REQUEST if the recipient's address is not one plain email address.
 */
export function composeMail(content: MailContent): Mail {
  const { to, subject, greeting, paragraphs, action, footer } = content;
  const clean: MailContent = {
    to: { name: toHeaderText(to.name), address: requireAddress(to.address) },
    subject: toHeaderText(subject),
    greeting: toHeaderText(greeting),
    paragraphs: paragraphs.map(toParagraph).filter((paragraph) => paragraph !== ""),
    ...(action && { action: { label: toHeaderText(action.label), url: toWebAddress(action.url) } }),
    footer: toParagraph(footer),
  };
  return { to: clean.to, subject: clean.subject, text: toText(clean), html: toPage(clean).markup };
}

/** Control characters, line separators and directional formatting. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
/** Visible characters except those with a meaning in an address (RFC 5322, 3.2.3; RFC 6532, 3.2). */
const ATOM = String.raw`[^\s\p{Cc}\p{Cf}\p{Cs}.@<>()[\],;:"\\]+`;
const DOT_ATOM = String.raw`${ATOM}(?:\.${ATOM})*`;
/**
 * An address without comments, quoted strings and domain literals. Every character has one part of the
 * expression that can match it, so that a mismatch takes linear time.
 */
const ADDRESS = new RegExp(`^${DOT_ATOM}@${DOT_ATOM}$`, "u");
/** Maximum length of an address in characters (RFC 5321, 4.5.3.1.3). */
const MAX_ADDRESS = 254;

/** Returns whether a text is one plain email address of at most 254 characters, such as `ann@example.com`. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS && ADDRESS.test(text);
}

/** Returns a text for one line of a header, with line breaks and other controls replaced by a space. */
export function toHeaderText(text: string): string {
  return text.toWellFormed().replace(UNSAFE, " ").trim();
}

/** Maximum length of a user's name in a mail, in code points. */
const MAX_SHOWN_NAME = 60;

/**
 * Returns a user's name for the text of a mail: no mail program finds a link in it, and it is too short for a
 * message of its own.
 */
export function toMailName(name: string): string {
  // Mail programs find links by a scheme, by "www." and by dots between letters.
  const unlinked = toHeaderText(name).replace(/:\/+/g, " ").replace(/[.．。｡](?=\p{L})/gu, ". ");
  const characters = [...unlinked];
  if (characters.length <= MAX_SHOWN_NAME) return unlinked;
  return `${characters.slice(0, MAX_SHOWN_NAME - 1).join("").trimEnd()}…`;
}

/**
 * Returns an address if it is safe in a header. Unsafe addresses are not repaired, which could change the
 * recipient.
 * @throws AppError BAD_REQUEST if it is not one plain address of at most 254 characters.
 */
export function requireAddress(address: string): string {
  if (isEmailAddress(address)) return address;
  throw new AppError("BAD_REQUEST", "Mail can only be sent to one complete email address.");
}

/**
 * Returns the From of all mail: the configured sender, or `Sotto <noreply@HOST>` with the host of the base
 * URL.
 */
export function getMailSender(
  config: { readonly mailFrom: string | null; readonly baseUrl: string },
): string {
  return config.mailFrom ?? `Sotto <noreply@${toMailDomain(new URL(config.baseUrl).hostname)}>`;
}

/** Returns a host for use after an `@`, where IP addresses need brackets. */
function toMailDomain(hostname: string): string {
  if (hostname.startsWith("[")) return `[IPv6:${hostname.slice(1)}`;
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname;
}

function toWebAddress(url: string): string {
  const { href, protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) throw new RangeError("A mail's action leads to a web address");
  return href;
}

/** Keeps line breaks and removes control characters. */
function toParagraph(text: string): string {
  return text.replace(/\r\n?/g, "\n").split("\n").map(toHeaderText).join("\n").trim();
}

function toText({ greeting, paragraphs, action, footer }: MailContent): string {
  const steps = action === undefined ? [] : [`${action.label}:\n${action.url}`];
  return [greeting, ...paragraphs, ...steps, footer].filter((part) => part !== "").join("\n\n") + "\n";
}

function toPage({ subject, greeting, paragraphs, action, footer }: MailContent): Html {
  const body = `margin:0;padding:0;background:${PAPER};color:${INK};font:400 15px/1.55 ${SANS}`;
  const mark = `width:14px;height:14px;border:2px dashed ${ACCENT};border-radius:3px`;
  const title = `margin:20px 0 16px;font:500 28px/1.2 ${SERIF};color:${INK}`;
  const blocks = [
    ...paragraphs.map((text) => toTextBlock(text, "margin:0 0 14px")),
    ...toActionBlocks(action),
    ...toFooterBlocks(footer),
  ];
  return toHtml`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
</head>
<body style="${body}">
<div style="max-width:560px;margin:0 auto;padding:32px 24px">
<div style="${mark}"></div>
<h1 dir="auto" style="${title}">${greeting}</h1>
${blocks}</div>
</body>
</html>
`;
}

/** Shows the URL below the button as well, so that it can be copied. */
function toActionBlocks(action: MailContent["action"]): readonly Html[] {
  if (action === undefined) return [];
  const button =
    `display:inline-block;padding:11px 17px;border-radius:9px;background:${INK};color:${PAPER};font-weight:600;` +
    "text-decoration:none";
  const address = `margin:14px 0 0;font:400 13px/1.5 ${MONO};color:${SOFT};overflow-wrap:anywhere`;
  return [
    toHtml`<p style="margin:24px 0 0"><a href="${action.url}" style="${button}">${action.label}</a></p>\n`,
    toHtml`<p style="${address}">${action.url}</p>\n`,
  ];
}

function toFooterBlocks(text: string): readonly Html[] {
  const small = `margin:28px 0 0;padding:16px 0 0;border-top:1px solid ${RULE};font-size:13px;color:${SOFT}`;
  return text === "" ? [] : [toTextBlock(text, small)];
}

function toTextBlock(text: string, style: string): Html {
  const lines = text.split("\n").map((line, at) => at === 0 ? toHtml`${line}` : toHtml`<br>\n${line}`);
  return toHtml`<p dir="auto" style="${style}">${lines}</p>\n`;
}

/** Outcome of the last test email that an organization requested. */
interface TestMailRecord {
  /** Milliseconds since 1970 UTC. */
  readonly sent_at: number;
  /** Reason of the failure as codes; null when the mail server accepted the email. */
  readonly failure: string | null;
}

const testMailKey = (realmId: number): Key => [realmId, "test_mail"];

/** Reads the outcome of an organization's last test email; null before the first. */
export function readTestMail(store: Store, realmId: number): Promise<TestMailRecord | null> {
  return readRecord<TestMailRecord>(store.kv, testMailKey(realmId));
}

/** Stores the outcome of a test email. */
export async function recordTestMail(store: Store, realmId: number, record: TestMailRecord): Promise<void> {
  await durably(store, () => store.kv.set(testMailKey(realmId), record));
}
