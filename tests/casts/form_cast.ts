import assert from "node:assert/strict";

/**
 * Returns the fields a browser would send of a page's form with this action; multiple values are joined with
 * commas.
 */
export function readForm(html: string, action: string): Record<string, string> {
  const part = html.split("<form").find((form) => form.includes(`name="action" value="${action}"`));
  assert.ok(part, `There is no form ${action}`);
  const form = part.split("</form>")[0] ?? "";
  const sent: [string, string][] = [];
  for (const [, tag = "", text = ""] of form.matchAll(/<input ([^>]*)>/g)) {
    const field = attributes(tag + text);
    const isTickable = field["type"] === "checkbox" || field["type"] === "radio";
    if (field["name"] === undefined || "disabled" in field) continue;
    if (!isTickable || "checked" in field) sent.push([field["name"], field["value"] ?? ""]);
  }
  for (const [, tag = "", text = ""] of form.matchAll(/<textarea ([^>]*)>([^<]*)<\/textarea>/g)) {
    sent.push([attributes(tag)["name"] ?? "", decode(text).replace(/^\n/, "")]);
  }
  for (const [, tag = "", inside = ""] of form.matchAll(/<select ([^>]*)>(.*?)<\/select>/gs)) {
    const options = [...inside.matchAll(/<option([^>]*)>/g)].map(([, option = ""]) => attributes(option));
    const chosen = options.find((option) => "selected" in option) ?? options[0];
    sent.push([attributes(tag)["name"] ?? "", chosen?.["value"] ?? ""]);
  }
  const byName = Map.groupBy(sent, ([name]) => name);
  return Object.fromEntries(
    Array.from(byName, ([name, all]) => [name, all.map(([, value]) => value).join(",")]),
  );
}

function attributes(tag: string): Record<string, string> {
  const found = [...tag.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(found.map(([, name = "", value = ""]) => [name, decode(value)]));
}

function decode(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** Returns the problems that a page shows, in order. */
export function problemsIn(html: string): string[] {
  return [...html.matchAll(/role="alert"[^>]*>([^<]*)</g)].map(([, text = ""]) => decode(text));
}
