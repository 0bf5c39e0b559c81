import assert from "node:assert/strict";
import type { PageVisitor } from "@/tests/helpers/pages.ts";

/** The address of the page. */
export const PAGE = "/admin/invitations";

/** What the form of addresses sends when nothing is changed in it. */
export const FORM = {
  action: "invite",
  role: "400",
  lasts: "14400",
  custom_number: "2",
  custom_unit: "days",
  welcome: "default",
  welcome_text: "",
  notify: "true",
};

/** What the page says that was just done. */
export async function saidBy(visitor: PageVisitor, headers: Headers, path = PAGE): Promise<string> {
  assert.ok(headers.get("location"), "The form was not taken");
  const notice = headers.getSetCookie().find((line) => line.startsWith("sotto_done=")) ?? "";
  assert.equal((await visitor.get(path)).status, 200);
  return decodeURIComponent(/^sotto_done=([^;]*)/.exec(notice)?.[1] ?? "");
}

/** The texts of the first cells of the list, without tags. */
export function rowsOf(html: string): string[] {
  return [...html.matchAll(/<tr[^>]* data-id="[^"]*"[^>]*>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    row.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim()
  );
}
