import { requireAddress, toHeaderText } from "./header_text.ts";
import { escapeHtml, type Html } from "./escape_html.ts";

/** One message to one person; both parts carry the same words. */
export interface Mail {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What a mail says, as plain text from top to bottom. */
export interface MailContent {
  /** The name may be empty. */
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly greeting: string;
  /** A line break inside a paragraph is kept. */
  readonly paragraphs: readonly string[];
  /** The one thing that the reader may do; the address is http or https. */
  readonly action?: { readonly label: string; readonly url: string };
  readonly footer: string;
}

/** The colours of the pages, as mail programs understand them. */
const PAPER = "#fbfaf7";
const INK = "#181b20";
const SOFT = "#575b62";
const RULE = "#e1e0db";
const ACCENT = "#ad301c";
const SERIF = "Newsreader,Georgia,serif";
const SANS = "Inter,system-ui,-apple-system,'Segoe UI',sans-serif";
const MONO = "'JetBrains Mono',ui-monospace,Menlo,monospace";

/**
 * Composes a mail with a text part and an HTML part that loads nothing. Controls in names and in the subject become
 * blanks; every value is escaped.
 * @throws AppError BAD_REQUEST when the receiver's address is not one plain e-mail address.
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

function toWebAddress(url: string): string {
  const { href, protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) throw new RangeError("A mail's action leads to a web address");
  return href;
}

/** Keeps line breaks and drops what could not be seen. */
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
  return escapeHtml`<!doctype html>
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

/** The address stands below the button too, for those who copy it. */
function toActionBlocks(action: MailContent["action"]): readonly Html[] {
  if (action === undefined) return [];
  const button =
    `display:inline-block;padding:11px 17px;border-radius:9px;background:${INK};color:${PAPER};font-weight:600;` +
    "text-decoration:none";
  const address = `margin:14px 0 0;font:400 13px/1.5 ${MONO};color:${SOFT};overflow-wrap:anywhere`;
  return [
    escapeHtml`<p style="margin:24px 0 0"><a href="${action.url}" style="${button}">${action.label}</a></p>\n`,
    escapeHtml`<p style="${address}">${action.url}</p>\n`,
  ];
}

function toFooterBlocks(text: string): readonly Html[] {
  const small = `margin:28px 0 0;padding:16px 0 0;border-top:1px solid ${RULE};font-size:13px;color:${SOFT}`;
  return text === "" ? [] : [toTextBlock(text, small)];
}

function toTextBlock(text: string, style: string): Html {
  const lines = text.split("\n").map((line, at) =>
    at === 0 ? escapeHtml`${line}` : escapeHtml`<br>\n${line}`
  );
  return escapeHtml`<p dir="auto" style="${style}">${lines}</p>\n`;
}
