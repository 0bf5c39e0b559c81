import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { changeLinkifiers, linkifierNotFound } from "./change_linkifiers.ts";

/**
 * Deletes a linkifier; messages that contain its links keep them.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function deleteLinkifier(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await changeLinkifiers(app, caller, (linkifiers) => {
    if (!linkifiers.some((linkifier) => linkifier.id === id)) throw linkifierNotFound();
    return Promise.resolve(linkifiers.filter((linkifier) => linkifier.id !== id));
  });
}
