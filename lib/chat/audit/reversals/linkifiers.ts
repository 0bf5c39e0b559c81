import { z } from "zod";
import { applyLinkifiersChange, linkifierNotFound } from "@/lib/chat/linkifiers/change_linkifiers.ts";
import {
  linkifierKeys,
  type LinkifierRecord,
  MAX_LINKIFIERS,
} from "@/lib/chat/linkifiers/model/linkifier.ts";
import { requireValidLinkifier } from "@/lib/chat/linkifiers/model/validate_linkifier.ts";
import { AppError } from "@/lib/core/errors.ts";
import { pickChanged, type Reversal, type RevertContext, targetId, toEarlierOrder } from "./reversal.ts";

const fields = z.object({
  pattern: z.string(),
  url_template: z.string(),
  example_input: z.string().nullable(),
  reverse_template: z.string().nullable(),
  alternative_url_templates: z.array(z.string()),
});
const record = fields.extend({ id: z.int() });

/** Reverts changes of one linkifier. */
export const linkifierReversal: Reversal = {
  async read(context) {
    const linkifier = await findLinkifier(context);
    return linkifier === undefined ? null : pickChanged(context, { ...linkifier });
  },
  async apply(context, earlier) {
    await applyLinkifiersChange(context, (linkifiers) => {
      const before = linkifiers.find(({ id }) => id === targetId(context));
      if (before === undefined) throw linkifierNotFound();
      const after = { id: before.id, ...fields.parse({ ...before, ...earlier }) };
      requireValidLinkifier(after, linkifiers.filter((linkifier) => linkifier !== before));
      return linkifiers.map((linkifier) => linkifier === before ? after : linkifier);
    });
    return null;
  },
};

/** Reverts adding and deleting a linkifier, which returns to its position with its id. */
export const linkifierExistenceReversal: Reversal = {
  read: async (context) => ({ linkifier: await findLinkifier(context) ?? null }),
  async apply(context, { linkifier }) {
    const deleted = record.nullable().parse(linkifier);
    await applyLinkifiersChange(context, (linkifiers) => {
      const others = linkifiers.filter(({ id }) => id !== targetId(context));
      if (deleted === null) return others;
      requireValidLinkifier(deleted, others);
      if (others.length >= MAX_LINKIFIERS) {
        throw new AppError("BAD_REQUEST", `An organization has ${MAX_LINKIFIERS} linkifiers at most.`);
      }
      const position = Number(context.values.before["position"] ?? others.length);
      return others.toSpliced(position, 0, deleted);
    });
    return null;
  },
};

/** Reverts the order of the linkifiers. */
export const linkifierOrderReversal: Reversal = {
  read: async (context) => ({ order: (await readLinkifiers(context)).map(({ id }) => id) }),
  async apply(context, { order }) {
    await applyLinkifiersChange(context, (linkifiers) => {
      const ids = toEarlierOrder(order, linkifiers.map(({ id }) => id));
      return linkifiers.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    });
    return null;
  },
};

async function readLinkifiers({ tx, realm }: RevertContext): Promise<readonly LinkifierRecord[]> {
  return await tx.get<readonly LinkifierRecord[]>(linkifierKeys.all(realm.id)) ?? [];
}

async function findLinkifier(context: RevertContext): Promise<LinkifierRecord | undefined> {
  return (await readLinkifiers(context)).find(({ id }) => id === targetId(context));
}
