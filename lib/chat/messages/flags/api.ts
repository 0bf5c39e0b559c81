import { z } from "zod";
import { described, intList, text } from "@/lib/chat/params/param.ts";
import { AppError } from "@/lib/core/errors.ts";
import { EDITABLE_FLAGS, FLAG_OPERATIONS, type FlagChange, isUnreading, MESSAGE_FLAGS } from "./model.ts";

/** Parameters of a flag change; `parseFlagChange` validates them with its own error messages. */
export const flagChangeParams = {
  op: described(text(), "`add` or `remove`."),
  flag: described(text(), `The flag: ${EDITABLE_FLAGS.map((flag) => `\`${flag}\``).join(", ")}.`),
};

/** Parameters of changing a flag of listed messages. */
export const changeFlagsParams = {
  messages: described(intList(), "Message ids."),
  ...flagChangeParams,
};

/**
 * Parses a flag change.
 * @throws AppError BAD_REQUEST for an unknown flag, a flag that is not editable, and an unknown operation.
 */
export function parseFlagChange({ flag, op }: { flag: string; op: string }): FlagChange {
  if (!isOneOf(MESSAGE_FLAGS, flag)) throw new AppError("BAD_REQUEST", `Invalid flag: '${flag}'`);
  if (!isOneOf(EDITABLE_FLAGS, flag)) throw new AppError("BAD_REQUEST", `Flag not editable: '${flag}'`);
  if (!isOneOf(FLAG_OPERATIONS, op)) {
    throw new AppError("BAD_REQUEST", `Invalid message flag operation: '${op}'`);
  }
  return { flag, op };
}

function isOneOf<T extends string>(values: readonly T[], value: string): value is T {
  return values.some((each) => each === value);
}

/** Field with the channels whose messages stay read. */
export const ignoredChannelsShape = {
  ignored_because_not_subscribed_channels: z.array(z.int()).optional().meta({
    description:
      "Ids of the channels whose messages stay read because the caller is not subscribed to them; " +
      "only where messages are marked as unread.",
  }),
};

/** Returns the channels whose messages stay read, for a change that marks messages as unread. */
export function toIgnoredChannels(
  change: FlagChange,
  ids: readonly number[],
): { ignored_because_not_subscribed_channels?: readonly number[] } {
  return isUnreading(change) ? { ignored_because_not_subscribed_channels: ids } : {};
}

/** Response of changing a flag of listed messages. */
export const changedFlagsSchema = z.object({ messages: z.array(z.int()), ...ignoredChannelsShape });
