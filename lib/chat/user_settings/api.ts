import { omit } from "es-toolkit/object/omit";
import { z } from "zod";
import { described, exact, json, optional, type ParamValues, text } from "../params/param.ts";
import { ACCOUNT_SETTINGS, SETTINGS } from "./model/settings.ts";

/** The users whose settings an administrator changes. */
export interface TargetUsers {
  readonly user_ids: readonly number[];
  readonly group_ids: readonly number[];
  readonly skip_if_already_edited: boolean;
}

const targetUsersSchema: z.ZodType<TargetUsers> = z.object({
  user_ids: z.array(z.int()).default([]),
  group_ids: z.array(z.int()).default([]),
  skip_if_already_edited: z.boolean().meta({
    description: "Whether settings that a user has changed themselves are skipped.",
  }),
});

/** Parameters of `PATCH /settings`: the target users, properties of the account, and every setting. */
export const settingsParams = {
  target_users: described(
    optional(json(targetUsersSchema)),
    "The users whose settings change, by id and by groups whose active members are included; only you when " +
      "omitted. Requires an administrator.",
  ),
  full_name: described(optional(exact(text())), "Your new name, at most 100 characters."),
  email: described(
    optional(exact(text())),
    "Your new email address. A confirmation link is sent to it; the address changes when the link is opened.",
  ),
  old_password: described(
    optional(exact(text())),
    "Your current password; required with `new_password`, and with `email` in a browser session.",
  ),
  new_password: described(
    optional(exact(text())),
    "Your new password, at least 8 characters; ends all sessions.",
  ),
  ...SETTINGS,
};

/** Validated parameters of `PATCH /settings`. */
export type SettingsValues = ParamValues<typeof settingsParams>;

/** Parameters of the settings of new accounts: every setting that is not part of the account itself. */
export const settingsDefaultsParams = omit(SETTINGS, ACCOUNT_SETTINGS);
