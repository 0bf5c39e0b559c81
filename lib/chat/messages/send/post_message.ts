import type { ChatApp, SentMessage } from "@/lib/chat/app.ts";
import { isQueueId } from "@/lib/chat/events/queues/model.ts";
import type { ParamValues } from "@/lib/chat/params/param.ts";
import {
  AUTOMATIC_POLICY_SETTINGS,
  toAutomaticPolicySettings,
} from "@/lib/chat/topics/apply_automatic_policy.ts";
import { readSettingValues } from "@/lib/chat/user_settings/store.ts";
import { prepareContent } from "../render/prepare_content.ts";
import type { sendMessageParams } from "./api.ts";
import { resolveTarget } from "./resolve_target.ts";
import { type LocalEcho, type OutgoingMessage, requireMessageContent, sendMessage } from "./send_message.ts";

/**
 * Sends a message as a request describes it, and returns it.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST.
 */
export async function postMessage(
  app: ChatApp,
  { realm, sender, client }: Pick<OutgoingMessage, "realm" | "sender" | "client">,
  requested: ParamValues<typeof sendMessageParams>,
): Promise<SentMessage> {
  const target = await resolveTarget(app, { realm, actingUser: sender }, requested);
  const content = requireMessageContent(requested.content);
  const values = await readSettingValues(app, { realmId: realm.id, userId: sender.id }, [
    "translate_emoticons",
    ...AUTOMATIC_POLICY_SETTINGS,
  ]);
  const translatesEmoticons = values.translate_emoticons === true;
  const prepared = await prepareContent(app, { realm, author: sender, translatesEmoticons }, content);
  const policySettings = toAutomaticPolicySettings(sender, values);
  const localEcho = toLocalEcho(requested);
  const outgoing = { realm, sender, target, prepared, client, policySettings };
  return await sendMessage(app, { ...outgoing, ...(localEcho && { localEcho }) });
}

function toLocalEcho({ queue_id, local_id }: ParamValues<typeof sendMessageParams>): LocalEcho | undefined {
  const isEcho = queue_id !== undefined && isQueueId(queue_id) && local_id !== "";
  return isEcho ? { queueId: queue_id, localId: local_id } : undefined;
}
