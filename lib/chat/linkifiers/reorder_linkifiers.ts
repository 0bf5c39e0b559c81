import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { changeLinkifiers } from "./change_linkifiers.ts";

/**
 * Puts all linkifiers into another order, by their ids, and tells everybody.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an order that does not name each once.
 */
export async function reorderLinkifiers(
  app: ChatApp,
  author: Caller,
  ids: readonly number[],
): Promise<void> {
  await changeLinkifiers(app, author, (all) => {
    if (new Set(ids).size !== ids.length) {
      throw new AppError("BAD_REQUEST", "The ordered list must not contain duplicated linkifiers");
    }
    const byId = new Map(all.map((linkifier) => [linkifier.id, linkifier]));
    const ordered = ids.map((id) => byId.get(id)).filter((linkifier) => linkifier !== undefined);
    if (ordered.length !== all.length || ids.length !== all.length) {
      throw new AppError(
        "BAD_REQUEST",
        "The ordered list must enumerate all existing linkifiers exactly once",
      );
    }
    return Promise.resolve(all.every(({ id }, at) => id === ids[at]) ? all : ordered);
  });
}
