import { diffArrays } from "diff";

/**
 * A formula, a tag, a character reference, a word, white space, or another character, of HTML in which an angle
 * bracket always ends a tag.
 */
const TOKEN = /<math\b[^]*?<\/math>|<[^<>]*>|&[#\w]+;|[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu;

/**
 * Marks the words that were inserted in and deleted from sanitized HTML. The tags are those of the new version,
 * so the result is as safe as it. Versions that differ by more than `maxEdits` words and tags are marked as
 * replaced; the work grows with the square of `maxEdits`.
 */
export function diffHtml(before: string, after: string, maxEdits: number): { html: string; edits: number } {
  const [old, now] = [toTokens(before), toTokens(after)];
  const changes = diffArrays(old, now, { maxEditLength: maxEdits });
  if (changes === undefined) return { html: wrap(markInserted(now), markDeleted(old)), edits: maxEdits };
  let html = "";
  let inserted = "";
  let deleted: string[] = [];
  let edits = 0;
  const flush = () => {
    html += join(inserted, markDeleted(deleted));
    [inserted, deleted] = ["", []];
  };
  for (const { value, added, removed } of changes) {
    if (added) inserted += markInserted(value);
    else if (removed) deleted.push(...value);
    else {
      flush();
      html += value.join("");
    }
    if (added || removed) edits += value.length;
  }
  flush();
  return { html: wrap(html), edits };
}

function toTokens(html: string): string[] {
  return html.match(TOKEN) ?? [];
}

function wrap(...parts: readonly string[]): string {
  return `<div>${parts.join("")}</div>`;
}

function join(inserted: string, deleted: string): string {
  return inserted.endsWith("</span>") && deleted !== "" ? `${inserted} ${deleted}` : inserted + deleted;
}

/** Marks the text between the tags. */
function markInserted(tokens: readonly string[]): string {
  let html = "";
  let text = "";
  for (const token of tokens) {
    if (isText(token)) {
      text += token;
      continue;
    }
    html += mark(text, "inserted") + token;
    text = "";
  }
  return html + mark(text, "inserted");
}

/** Marks the text without the tags. */
function markDeleted(tokens: readonly string[]): string {
  return mark(tokens.filter(isText).join(""), "deleted");
}

/** Marks text; white space alone, which separates blocks, stays as it is when inserted, and is left out when deleted. */
function mark(text: string, kind: "inserted" | "deleted"): string {
  if (text.trim() === "") return kind === "inserted" ? text : "";
  return `<span class="highlight_text_${kind}">${text}</span>`;
}

function isText(token: string): boolean {
  return !(token.startsWith("<") && token.endsWith(">"));
}
