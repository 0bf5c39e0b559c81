import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { changeLinkifiers, linkifierNotFound } from "./change_linkifiers.ts";

/**
 * Takes a linkifier away and tells everybody; messages that it acted on keep their links.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function removeLinkifier(app: ChatApp, author: Caller, id: number): Promise<void> {
  await changeLinkifiers(app, author, (all) => {
    if (!all.some((linkifier) => linkifier.id === id)) throw linkifierNotFound();
    return Promise.resolve(all.filter((linkifier) => linkifier.id !== id));
  });
}
