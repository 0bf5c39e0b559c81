import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { changeLinkifiers } from "./change_linkifiers.ts";
import { type LinkifierFields, MAX_LINKIFIERS } from "./model/linkifier.ts";
import { requireValidLinkifier } from "./model/validate_linkifier.ts";

/**
 * Adds a linkifier after all others and returns its id.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createLinkifier(
  app: ChatApp,
  caller: Caller,
  fields: LinkifierFields,
): Promise<number> {
  let id = 0;
  await changeLinkifiers(app, caller, async (linkifiers, tx) => {
    requireValidLinkifier(fields, linkifiers);
    if (linkifiers.length >= MAX_LINKIFIERS) {
      throw new AppError("BAD_REQUEST", `An organization has ${MAX_LINKIFIERS} linkifiers at most.`);
    }
    id = await tx.nextId("linkifier");
    return [...linkifiers, { id, ...fields }];
  });
  return id;
}
