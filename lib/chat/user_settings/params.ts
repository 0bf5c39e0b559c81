import { z } from "zod";
import { described, json, optional, type ParamValues, text } from "../params/param.ts";
import { SETTINGS } from "./table.ts";

/** Whose settings an administrator changes. */
export interface TargetUsers {
  readonly user_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly skip_if_already_edited: boolean;
}

const targetUsersSchema: z.ZodType<TargetUsers> = z.object({
  user_ids: z.array(z.int()).default([]),
  group_ids: z.array(z.int()).default([]),
  skip_if_already_edited: z.boolean().meta({
    description: "Whether settings that a user once changed himself are left as they are.",
  }),
});

/** What `PATCH /settings` takes: whose settings are changed, what belongs to the account, and every setting. */
export const settingsParams = {
  target_users: described(
    optional(json(targetUsersSchema)),
    "The people whose settings are changed, by their ids and by groups of which they are active members; you alone " +
      "without it. For administrators.",
  ),
  full_name: described(optional(text()), "Your new name, of 100 characters at most."),
  email: described(
    optional(text()),
    "Your new address: a link is sent there, and the address changes when that link is followed.",
  ),
  old_password: described(optional(text()), "Your password; needed together with `new_password`."),
  new_password: described(optional(text()), "Your new password, of 8 characters or more; ends all sessions."),
  ...SETTINGS,
};

/** The checked parameters of `PATCH /settings`. */
export type SettingsValues = ParamValues<typeof settingsParams>;
