import type { BotChanges } from "@/lib/chat/bots/manage_bots.ts";
import { OUTGOING_WEBHOOK_BOT, type UserRecord } from "@/lib/chat/users/model.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { toPersonLine } from "@/lib/ui/permission_fields.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { findPeople, readPeopleInput } from "../people/find_people.ts";

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
  const { chat, realm, messages } = request;
  const input = readPeopleInput(fields, "owner");
  const owner = bot_owner_id === null ? null : await readUser(chat, realm.id, bot_owner_id);
  const text = input.text.trim();
  if (text === "" || owner !== null && text === toPersonLine(owner)) return undefined;
  const [found, ...others] = await findPeople(request, input, "owner");
  if (found === undefined || others.length > 0) throw new FormRefusal({ owner: messages.bots.ownerOne });
  return found.id;
}
