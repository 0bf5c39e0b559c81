import { createHash } from "node:crypto";
import type { AdminRequest } from "./admin_request.ts";
import { FormRefusal } from "./admin_page.ts";
import type { FormFields } from "./form_fields.ts";

/** Name of the field with a form's revision. */
export const REVISION_FIELD = "seen";

export const CHANGED_MEANWHILE =
  "Someone else changed this while you were editing. Your changes are still in the form. Save again to overwrite theirs.";

/** Returns a short digest of the stored values that a form shows; it changes with them. */
export function revisionOf(stored: unknown): string {
  return createHash("sha256").update(JSON.stringify(stored) ?? "").digest("base64url").slice(0, 16);
}

/**
 * Refuses a form of an older revision. The form returns with its submitted values and the current revision,
 * and is accepted when sent again.
 * @throws FormRefusal.
 */
export function requireRevision({ t }: AdminRequest, fields: FormFields, stored: unknown): void {
  if (fields.text(REVISION_FIELD) !== revisionOf(stored)) {
    throw new FormRefusal({ form: t(CHANGED_MEANWHILE) });
  }
}
