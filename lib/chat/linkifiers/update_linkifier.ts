import type { ChatApp } from "../app.ts";
import type { ParamValues } from "../params/param.ts";
import type { Caller } from "../users/caller.ts";
import { changeLinkifiers, linkifierNotFound } from "./change_linkifiers.ts";
import { requireLinkifier } from "./check_linkifier.ts";
import type { linkifierParams } from "./params.ts";
import { sentFields } from "./sent_fields.ts";

/**
 * Changes a linkifier where it stands and tells everybody; what is not sent stays.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateLinkifier(
  app: ChatApp,
  author: Caller,
  { id, sent }: { id: number; sent: ParamValues<typeof linkifierParams> },
): Promise<void> {
  await changeLinkifiers(app, author, (all) => {
    const before = all.find((linkifier) => linkifier.id === id);
    if (before === undefined) throw linkifierNotFound();
    const after = { id, ...sentFields(sent, before) };
    requireLinkifier(after, all.filter((linkifier) => linkifier !== before));
    const isSame = JSON.stringify(after) === JSON.stringify(before);
    return Promise.resolve(isSame ? all : all.map((linkifier) => linkifier === before ? after : linkifier));
  });
}
