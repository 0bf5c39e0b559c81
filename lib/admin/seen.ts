import { createHash } from "node:crypto";
import type { AdminRequest } from "./admin_request.ts";
import { FormRefusal } from "./admin_page.ts";
import type { FormFields } from "./form_fields.ts";

/** The field in which a form says what it was filled with. */
export const SEEN_FIELD = "seen";

/** A short mark of what was stored when a form was shown: another one when that has changed. */
export function revisionOf(stored: unknown): string {
  return createHash("sha256").update(JSON.stringify(stored) ?? "").digest("base64url").slice(0, 16);
}

/**
 * Refuses a form that shows what is no longer so; it comes back with what was typed and the new mark, and is taken when
 * it is sent again.
 * @throws FormRefusal.
 */
export function requireRevision({ words }: AdminRequest, fields: FormFields, stored: unknown): void {
  if (fields.text(SEEN_FIELD) !== revisionOf(stored)) {
    throw new FormRefusal({ form: words.common.changedMeanwhile });
  }
}
