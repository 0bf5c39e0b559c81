import type { ChatApp } from "../app.ts";
import type { ParamValues } from "../params/param.ts";
import type { Caller } from "../users/model.ts";
import { type linkifierParams, parseLinkifierFields } from "./api.ts";
import { changeLinkifiers, linkifierNotFound } from "./change_linkifiers.ts";
import { requireValidLinkifier } from "./model/validate_linkifier.ts";

/**
 * Updates a linkifier and keeps its position; fields that are not given stay unchanged.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateLinkifier(
  app: ChatApp,
  caller: Caller,
  { id, sent }: { id: number; sent: ParamValues<typeof linkifierParams> },
): Promise<void> {
  await changeLinkifiers(app, caller, (linkifiers) => {
    const before = linkifiers.find((linkifier) => linkifier.id === id);
    if (before === undefined) throw linkifierNotFound();
    const after = { id, ...parseLinkifierFields(sent, before) };
    requireValidLinkifier(after, linkifiers.filter((linkifier) => linkifier !== before));
    const isUnchanged = JSON.stringify(after) === JSON.stringify(before);
    return Promise.resolve(
      isUnchanged ? linkifiers : linkifiers.map((linkifier) => linkifier === before ? after : linkifier),
    );
  });
}
