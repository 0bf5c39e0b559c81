import { createHash } from "node:crypto";
import { OrganizationChanged } from "@/lib/chat/organization/users/model.ts";
import type { AdminRequest } from "./admin_request.ts";
import { OutdatedForm } from "./admin_page.ts";
import type { FormFields } from "./form_fields.ts";

/** Name of the field with a form's revision. */
export const REVISION_FIELD = "seen";

/** Returns a short digest of the stored values that a form shows; it changes with them. */
export function revisionOf(stored: unknown): string {
  return createHash("sha256").update(JSON.stringify(stored) ?? "").digest("base64url").slice(0, 16);
}

/**
 * Refuses a form of an older revision. The form returns with its submitted values and the current revision,
 * and is accepted when sent again.
 * @throws OutdatedForm.
 */
export function requireRevision(request: AdminRequest, fields: FormFields, stored: unknown): void {
  if (fields.text(REVISION_FIELD) !== revisionOf(stored)) throw new OutdatedForm(request);
}

/** Number of times that a form is decided while others change the organization without pause. */
const ATTEMPTS = 50;

/**
 * Returns the run of a form whose readings and commit are of one version of the organization: what it compared is what it
 * overwrites. It is run again when the organization changed before its commit.
 */
export function atOneVersion<T>(
  run: (request: AdminRequest, fields: FormFields) => Promise<T>,
): (request: AdminRequest, fields: FormFields) => Promise<T> {
  return async (request, fields) => {
    const { chat, caller, realm: { id } } = request;
    for (let attempt = 1;; attempt++) {
      const { version } = await chat.readOrganization(id);
      try {
        return await run({ ...request, caller: { ...caller, version } }, fields);
      } catch (error) {
        if (!(error instanceof OrganizationChanged) || attempt === ATTEMPTS) throw error;
      }
    }
  };
}
