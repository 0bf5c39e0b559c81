import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { changeLinkifiers } from "./change_linkifiers.ts";

/**
 * Changes the order of all linkifiers, given by their ids.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST unless the ids name every linkifier exactly once.
 */
export async function reorderLinkifiers(
  app: ChatApp,
  caller: Caller,
  ids: readonly number[],
): Promise<void> {
  await changeLinkifiers(app, caller, (linkifiers) => {
    if (new Set(ids).size !== ids.length) {
      throw new AppError("BAD_REQUEST", "The ordered list must not contain duplicated linkifiers");
    }
    const byId = new Map(linkifiers.map((linkifier) => [linkifier.id, linkifier]));
    const ordered = ids.map((id) => byId.get(id)).filter((linkifier) => linkifier !== undefined);
    if (ordered.length !== linkifiers.length || ids.length !== linkifiers.length) {
      throw new AppError(
        "BAD_REQUEST",
        "The ordered list must enumerate all existing linkifiers exactly once",
      );
    }
    const isUnchanged = linkifiers.every(({ id }, position) => id === ids[position]);
    return Promise.resolve(isUnchanged ? linkifiers : ordered);
  });
}
