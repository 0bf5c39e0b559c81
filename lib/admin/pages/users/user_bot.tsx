import { useAdmin } from "@/components/admin/admin_view.ts";
import { TextInput } from "@/components/admin/fields.tsx";
import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import { FileForm } from "@/components/admin/FileForm.tsx";
import { PeopleField } from "@/components/admin/people/PeopleField.tsx";
import type { BotChanges } from "@/lib/chat/people/bots/manage_bots.ts";
import { changeBotAvatar } from "@/lib/chat/people/users/avatar.ts";
import { OUTGOING_WEBHOOK_BOT, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { toPersonLine } from "@/lib/ui/permission_fields.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { form, type Values } from "@/lib/admin/declare/form.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { findPeople, readPeopleInput } from "@/lib/admin/people/find_people.ts";
import type { UserData } from "./user_data.ts";

/**
 * Reads the changes of a bot's owner and address from the form of its page.
 * @throws FormRefusal when the owner is unclear.
 */
export async function readBotChanges(
  request: AdminRequest,
  fields: FormFields,
  bot: UserRecord,
): Promise<Pick<BotChanges, "bot_owner_id" | "service_payload_url">> {
  const url = fields.exact("payload_url").trim();
  const hasAddress = bot.bot_type === OUTGOING_WEBHOOK_BOT && url !== "";
  return {
    bot_owner_id: await readOwner(request, fields, bot),
    service_payload_url: hasAddress ? url : undefined,
  };
}

/** Returns the id of a new owner; undefined for the current one, who may be deactivated. */
async function readOwner(
  request: AdminRequest,
  fields: FormFields,
  { bot_owner_id }: UserRecord,
): Promise<number | undefined> {
  const { chat, realm, t } = request;
  const input = readPeopleInput(fields, "owner");
  const owner = bot_owner_id === null ? null : await readUser(chat, realm.id, bot_owner_id);
  const text = input.text.trim();
  if (text === "" || owner !== null && text === toPersonLine(owner)) return undefined;
  const [found, ...others] = await findPeople(request, input, "owner");
  if (found === undefined || others.length > 0) throw new FormRefusal({ owner: t("Enter one user.") });
  return found.id;
}

export const changeAvatar = form<Values>({
  action: "avatar",
  refusedAt: "avatar",
  run: async (request, _, { files: sent }) => {
    const files = sent.filter(({ length }) => length > 0);
    if (files.length === 0) throw new FormRefusal({ avatar: request.t("Choose a picture.") });
    const id = pathId(request);
    await changeBotAvatar(request.chat, request.caller, { id, files });
    const bot = await readUser(request.chat, request.realm.id, id);
    return { flash: request.t("Avatar of {name} changed.", { name: bot?.full_name ?? "" }) };
  },
});

export function BotAvatar() {
  const { t } = useAdmin();
  return (
    <section aria-labelledby="avatar-title" class="mb-9">
      <h2 id="avatar-title" class="mb-3">{t("Avatar")}</h2>
      <FileForm
        state={useFormState(changeAvatar)}
        name="avatar"
        label={t("New picture")}
        hint={t("PNG, GIF, JPEG or WebP, up to 5 MiB.")}
        accept="image/png,image/gif,image/jpeg,image/webp"
        button={t("Change avatar")}
        look={QUIET_BUTTON}
      />
    </section>
  );
}

/** Renders the fields of a bot's account: owner, and the address of an outgoing webhook. */
export function BotFields({ state, data: { user, owner } }: { state: FormState; data: UserData }) {
  const { t } = useAdmin();
  const url = user.outgoing_webhook?.payload_url;
  return (
    <>
      <PeopleField
        state={state}
        name="owner"
        label={t("Owner")}
        hint={t("A name, an email address or a user ID of an active user.")}
        stored={owner === null ? "" : toPersonLine(owner)}
        rows={1}
      />
      {url !== undefined && (
        <TextInput
          state={state}
          name="payload_url"
          type="url"
          label={t("Address to post messages to")}
          stored={url}
        />
      )}
    </>
  );
}
