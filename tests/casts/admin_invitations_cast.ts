import assert from "node:assert/strict";
import { cookiesOf, type PageVisitor } from "@/tests/helpers/pages.ts";

/** Path of the page. */
export const PAGE = "/admin/invitations";

/** Fields of the invitation form with their default values. */
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

/** Returns the flash message that the page shows. */
export async function flashOf(visitor: PageVisitor, headers: Headers, path = PAGE): Promise<string> {
  assert.ok(headers.get("location"), "The form was not taken");
  const notice = cookiesOf(headers).find(({ name }) => name === "sotto_done");
  assert.equal((await visitor.get(path)).status, 200);
  return decodeURIComponent(notice?.value ?? "");
}

/** Returns the text of the first cell of each row, without tags. */
export function rowsOf(html: string): string[] {
  return [...html.matchAll(/<tr[^>]* data-id="[^"]*"[^>]*>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    row.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim()
  );
}
