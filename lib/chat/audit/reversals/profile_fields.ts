import { updateFieldParams } from "@/lib/chat/profile_fields/api.ts";
import { parseFieldData } from "@/lib/chat/profile_fields/model/field_data.ts";
import {
  applyFieldOrder,
  applyFieldUpdate,
  removeStaleValues,
} from "@/lib/chat/profile_fields/change_fields.ts";
import { getFields } from "@/lib/chat/profile_fields/store.ts";
import {
  pickChanged,
  type Reversal,
  type RevertContext,
  targetId,
  toEarlierOrder,
  toParams,
} from "./reversal.ts";

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

/** Reverts the order of the profile fields. */
export const fieldOrderReversal: Reversal = {
  read: async (context) => ({ order: await readOrder(context) }),
  async apply(context, { order }) {
    await applyFieldOrder(context, toEarlierOrder(order, await readOrder(context)));
    return null;
  },
};

async function readOrder({ tx, realm }: RevertContext): Promise<readonly number[]> {
  return (await getFields(tx, realm.id)).map(({ id }) => id);
}
