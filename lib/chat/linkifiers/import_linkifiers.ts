import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { changeLinkifiers } from "./change_linkifiers.ts";
import { type LinkifierFields, type LinkifierRecord, MAX_LINKIFIERS } from "./model/linkifier.ts";
import { requireValidLinkifier } from "./model/validate_linkifier.ts";

/** Maximum number of linkifiers that are added at once, so that their audit entries fit into one commit. */
export const MAX_IMPORTED_LINKIFIERS = 100;

/**
 * Adds linkifiers after all others, all or none, and returns their number; those whose pattern exists already are
 * left out.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function importLinkifiers(
  app: ChatApp,
  caller: Caller,
  imported: readonly LinkifierFields[],
): Promise<number> {
  let count = 0;
  await changeLinkifiers(app, caller, async (linkifiers, tx) => {
    const added = imported.filter(({ pattern }) => !linkifiers.some((one) => one.pattern === pattern));
    if (added.length > MAX_IMPORTED_LINKIFIERS) {
      throw new AppError("BAD_REQUEST", `Add ${MAX_IMPORTED_LINKIFIERS} linkifiers at once at most.`);
    }
    if (linkifiers.length + added.length > MAX_LINKIFIERS) {
      throw new AppError("BAD_REQUEST", `An organization has ${MAX_LINKIFIERS} linkifiers at most.`);
    }
    let after: readonly LinkifierRecord[] = linkifiers;
    for (const fields of added) {
      requireValidLinkifier(fields, after);
      after = [...after, { id: await tx.nextId("linkifier"), ...fields }];
    }
    count = added.length;
    return added.length === 0 ? linkifiers : after;
  });
  return count;
}
