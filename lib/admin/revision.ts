import { createHash } from "node:crypto";
import type { Snapshot } from "@/lib/store/snapshot.ts";
import { type AdminRequest, atOrganization } from "./admin_request.ts";
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

/**
 * Returns the run of a form that is refused at any other revision than that of what `read` returns, null for nothing to
 * compare: before it is run, and with what the commit of its action overwrites.
 */
export function atRevision<T>(
  read: (request: AdminRequest) => Promise<unknown>,
  run: (request: AdminRequest, fields: FormFields) => Promise<T>,
): (request: AdminRequest, fields: FormFields) => Promise<T> {
  return async (request, fields) => {
    const compare = async (at: AdminRequest) => {
      const stored = await read(at);
      if (stored !== null) requireRevision(at, fields, stored);
    };
    await compare(request);
    const check = (organization: Snapshot) => compare(atOrganization(request, organization));
    return await run({ ...request, caller: { ...request.caller, check } }, fields);
  };
}
