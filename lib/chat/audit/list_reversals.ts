import { z } from "zod";
import {
  applyFolderOrder,
  applyFolderUpdate,
  channelFolderKeys,
  type ChannelFolderRecord,
  readFolderPositions,
} from "@/lib/chat/channel_folders.ts";
import { applyLinkifiersChange, linkifierNotFound } from "@/lib/chat/linkifiers/change_linkifiers.ts";
import {
  linkifierKeys,
  type LinkifierRecord,
  MAX_LINKIFIERS,
} from "@/lib/chat/linkifiers/model/linkifier.ts";
import { requireValidLinkifier } from "@/lib/chat/linkifiers/model/validate_linkifier.ts";
import { addPlayground, playgroundList, removePlayground } from "@/lib/chat/playgrounds.ts";
import { updateFieldParams } from "@/lib/chat/profile_fields/api.ts";
import { parseFieldData } from "@/lib/chat/profile_fields/model/field_data.ts";
import {
  applyFieldOrder,
  applyFieldUpdate,
  removeStaleValues,
} from "@/lib/chat/profile_fields/change_fields.ts";
import { getFields } from "@/lib/chat/profile_fields/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import {
  pickChanged,
  type Reversal,
  type RevertContext,
  targetId,
  toEarlierOrder,
  toParams,
} from "./reversals.ts";

const linkifierFields = z.object({
  pattern: z.string(),
  url_template: z.string(),
  example_input: z.string().nullable(),
  reverse_template: z.string().nullable(),
  alternative_url_templates: z.array(z.string()),
});
const linkifierSchema = linkifierFields.extend({ id: z.int() });

export const linkifierReversal: Reversal = {
  async read(context) {
    const linkifier = await findLinkifier(context);
    return linkifier === undefined ? null : pickChanged(context, { ...linkifier });
  },
  async apply(context, earlier) {
    await applyLinkifiersChange(context, (linkifiers) => {
      const before = linkifiers.find(({ id }) => id === targetId(context));
      if (before === undefined) throw linkifierNotFound();
      const after = { id: before.id, ...linkifierFields.parse({ ...before, ...earlier }) };
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
    const deleted = linkifierSchema.nullable().parse(linkifier);
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

/** Reverts changes of a folder's name and description, archiving and restoring. */
export const folderReversal: Reversal = {
  async read(context) {
    const key = channelFolderKeys.folder(context.realm.id, targetId(context));
    const folder = await context.tx.get<ChannelFolderRecord>(key);
    if (folder === null) return null;
    const { name, description, is_archived } = folder;
    return pickChanged(context, { name, description, is_archived });
  },
  async apply(context, { name, description, is_archived }) {
    const text = (value: unknown) => typeof value === "string" ? value : undefined;
    await applyFolderUpdate(context, {
      folderId: targetId(context),
      changes: {
        name: text(name),
        description: text(description),
        is_archived: typeof is_archived === "boolean" ? is_archived : undefined,
      },
    });
    return null;
  },
};

export const folderOrderReversal: Reversal = {
  read: async (context) => ({ order: await readFolderOrder(context) }),
  async apply(context, { order }) {
    await applyFolderOrder(context, toEarlierOrder(order, await readFolderOrder(context)));
    return null;
  },
};

async function readFolderOrder({ tx, realm }: RevertContext): Promise<readonly number[]> {
  return (await readFolderPositions(tx, realm.id)).map(({ id }) => id);
}

const playgroundSchema = z.object({
  id: z.int(),
  name: z.string(),
  pygments_language: z.string(),
  url_template: z.string(),
});

/** Reverts adding and removing a code playground, which returns with its id. */
export const playgroundReversal: Reversal = {
  async read(context) {
    const all = await playgroundList.get(context.tx, context);
    return { playground: all.find(({ id }) => id === targetId(context)) ?? null };
  },
  async apply(context, { playground }) {
    const removed = playgroundSchema.nullable().parse(playground);
    if (removed === null) await removePlayground(context, targetId(context));
    else await addPlayground(context, removed);
    return null;
  },
};

/** Reverts changes of a profile field; values of choices that were removed stay deleted. */
export const fieldReversal: Reversal = {
  prepare: removeStaleValues,
  async read(context) {
    const fields = await getFields(context.tx, context.realm.id);
    const field = fields.find(({ id }) => id === targetId(context));
    return field === undefined ? null : pickChanged(context, { ...field });
  },
  async apply(context, earlier) {
    const { app, realm } = context;
    const data = earlier["field_data"];
    const sent = typeof data === "string" ? { ...earlier, field_data: parseFieldData(data) } : earlier;
    const changes = toParams(updateFieldParams, sent);
    const isDataChanged = await applyFieldUpdate(context, { fieldId: targetId(context), changes });
    return isDataChanged ? () => removeStaleValues(app, realm.id) : null;
  },
};

export const fieldOrderReversal: Reversal = {
  read: async (context) => ({ order: await readFieldOrder(context) }),
  async apply(context, { order }) {
    await applyFieldOrder(context, toEarlierOrder(order, await readFieldOrder(context)));
    return null;
  },
};

async function readFieldOrder({ tx, realm }: RevertContext): Promise<readonly number[]> {
  return (await getFields(tx, realm.id)).map(({ id }) => id);
}
