import { z } from "zod";
import { addPlayground, playgroundList, removePlayground } from "@/lib/chat/playgrounds.ts";
import { type Reversal, targetId } from "./reversal.ts";

const record = z.object({
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
    const removed = record.nullable().parse(playground);
    if (removed === null) await removePlayground(context, targetId(context));
    else await addPlayground(context, removed);
    return null;
  },
};
