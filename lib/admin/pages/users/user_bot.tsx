import { FieldFrame, getAriaAttributes } from "@/components/admin/FieldFrame.tsx";
import { TextInput } from "@/components/admin/fields.tsx";
import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { PeopleField } from "@/components/admin/people/PeopleField.tsx";
import type { BotChanges } from "@/lib/chat/people/bots/manage_bots.ts";
import { changeBotAvatar } from "@/lib/chat/people/users/avatar.ts";
import { OUTGOING_WEBHOOK_BOT, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { toPersonLine } from "@/lib/ui/permission_fields.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { form, type Values } from "@/lib/admin/declare/form.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
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

/** Replaces the avatar of a bot. */
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

/** Renders the form that replaces a bot's avatar. */
export function BotAvatar() {
  const { t } = useTexts(null);
  const state = useFormState(changeAvatar);
  const notes = {
    id: "avatar",
    hint: t("PNG, GIF, JPEG or WebP, up to 5 MiB."),
    problem: state.problem("avatar"),
  };
  return (
    <section aria-labelledby="avatar-title" class="mb-9">
      <h2 id="avatar-title" class="mb-3">{t("Avatar")}</h2>
      <form method="post" encType="multipart/form-data" noValidate class="flex flex-wrap items-start gap-5">
        <input type="hidden" name="action" value="avatar" />
        <FormProblem problem={state.problem("form")} />
        <div class="grid min-w-0 flex-[1_1_16rem] max-w-[28rem] gap-3">
          <FieldFrame {...notes} label={t("New picture")}>
            <input
              {...getAriaAttributes(notes)}
              type="file"
              name="avatar"
              accept="image/png,image/gif,image/jpeg,image/webp"
              class={`${TEXT_FIELD} file:me-3 file:cursor-pointer file:border-0 file:bg-transparent file:font-strong file:text-ink file:underline`}
            />
          </FieldFrame>
          <div>
            <button type="submit" class={QUIET_BUTTON}>{t("Change avatar")}</button>
          </div>
        </div>
      </form>
    </section>
  );
}

/** Renders the fields of a bot's account: owner, and the address of an outgoing webhook. */
export function BotFields({ state, data: { bot, botDetails } }: { state: FormState; data: UserData }) {
  const { t } = useTexts(null);
  const owner = bot?.owner ?? null;
  return (
    <>
      <PeopleField
        state={state}
        name="owner"
        label={t("Owner")}
        hint={t("A name, an email address or a user ID of an active user.")}
        stored={owner === null ? "" : toPersonLine({ id: owner.id, full_name: owner.name })}
        rows={1}
      />
      {botDetails !== null && botDetails.payloadUrl !== null && (
        <TextInput
          state={state}
          name="payload_url"
          type="url"
          label={t("Address to post messages to")}
          stored={botDetails.payloadUrl}
        />
      )}
    </>
  );
}
