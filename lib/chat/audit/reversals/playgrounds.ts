import { z } from "zod";
import { applyPlaygroundsChange } from "@/lib/chat/playgrounds/change_playgrounds.ts";
import {
  addPlayground,
  type PlaygroundRecord,
  playgroundsKey,
  removePlayground,
} from "@/lib/chat/playgrounds/model.ts";
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
    const { tx, realm } = context;
    const all = await tx.get<readonly PlaygroundRecord[]>(playgroundsKey(realm.id)) ?? [];
    return { playground: all.find(({ id }) => id === targetId(context)) ?? null };
  },
  async apply(context, { playground }) {
    const removed = record.nullable().parse(playground);
    await applyPlaygroundsChange(context, (before) => {
      if (removed !== null) {
        const after = addPlayground(before, removed);
        return Promise.resolve({ after, action: "playground_added", playground: removed });
      }
      const { removed: added, remaining } = removePlayground(before, targetId(context));
      return Promise.resolve({ after: remaining, action: "playground_removed", playground: added });
    });
    return null;
  },
};
