import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { changeLinkifiers } from "./change_linkifiers.ts";
import { requireLinkifier } from "./check_linkifier.ts";
import { type LinkifierFields, MAX_LINKIFIERS } from "./linkifier.ts";

/**
 * Adds a linkifier behind all others, tells everybody, and gives its id.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function addLinkifier(
  app: ChatApp,
  author: Caller,
  fields: LinkifierFields,
): Promise<number> {
  let id = 0;
  await changeLinkifiers(app, author, async (all, tx) => {
    requireLinkifier(fields, all);
    if (all.length >= MAX_LINKIFIERS) {
      throw new AppError("BAD_REQUEST", `An organization has ${MAX_LINKIFIERS} linkifiers at most.`);
    }
    id = await tx.nextId("linkifier");
    return [...all, { id, ...fields }];
  });
  return id;
}
