import { act } from "@/lib/chat/organization/users/store.ts";
import { audienceOf } from "../events.ts";
import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { getEditableMessage } from "../edit_rules.ts";
import { choice, described, int, text } from "@/lib/chat/organization/params/param.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { applyParticipationPolicy } from "@/lib/chat/channels/topics/automatic_policy.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { appendSubmessage, MAX_SUBMESSAGE, type WidgetType } from "./model.ts";

/**
 * Changes a poll or a to-do list that the caller can see: a vote, an option, a task and the like.
 * @throws AppError BAD_REQUEST for a message that the caller cannot see or that is no widget, for an invalid
 * change, and when the message has too many.
 */
export async function addSubmessage(
  app: ChatApp,
  caller: Caller,
  { messageId, content }: { messageId: number; content: string },
): Promise<void> {
  await act(app, caller, async ({ tx, realm, actingUser: user }) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const { message, location } = await getEditableMessage(tx, permissions, { id: messageId, user });
    const { widget_type: widgetType } = message;
    if (widgetType === undefined) {
      throw new AppError("BAD_REQUEST", "You cannot attach a submessage to this message.");
    }
    const isAuthor = message.sender_id === user.id;
    const stored = { sender_id: user.id, content: parseWidgetChange(content, { widgetType, isAuthor }) };
    const id = await appendSubmessage(tx, { realmId: realm.id, messageId }, stored);
    sendEvent(tx, { realmId: realm.id, now: permissions.now }, {
      event: { type: "submessage", submessage_id: id, message_id: messageId, msg_type: "widget", ...stored },
      audience: audienceOf(location),
    });
    await applyParticipationPolicy(app, tx, { permissions, user, message });
  }, `submessages ${caller.realm.id} ${messageId}`);
}

/** Number that clients give to an option or a task. */
const index = z.int().min(0).max(1000);

const CHANGES: Readonly<Record<WidgetType, Readonly<Record<string, z.ZodType>>>> = {
  poll: {
    vote: z.strictObject({ type: z.string(), key: z.string(), vote: z.literal([1, -1]) }),
    question: z.strictObject({ type: z.string(), question: z.string() }),
    new_option: z.strictObject({ type: z.string(), option: z.string(), idx: index }),
  },
  todo: {
    new_task: z.strictObject({
      type: z.string(),
      key: index,
      task: z.string(),
      desc: z.string(),
      completed: z.boolean(),
    }),
    strike: z.strictObject({ type: z.string(), key: z.string() }),
    new_task_list_title: z.strictObject({ type: z.string(), title: z.string() }),
  },
};

/** Changes that only the sender of the message can make, with the refusal of others. */
const AUTHOR_CHANGES: ReadonlyMap<unknown, string> = new Map([
  ["question", "You can't edit a question unless you are the author."],
  ["new_task_list_title", "You can't edit the task list title unless you are the author."],
]);

/**
 * Returns the content of a submessage in the form that is stored.
 * @throws AppError BAD_REQUEST for text that is not JSON, an unknown or invalid change, and a change that only
 * the sender of the message can make.
 */
export function parseWidgetChange(
  content: string,
  { widgetType, isAuthor }: { widgetType: WidgetType; isAuthor: boolean },
): string {
  const change = parseJson(content);
  if (change === undefined) throw new AppError("BAD_REQUEST", "Invalid json for submessage");
  const type = z.object({ type: z.string() }).safeParse(change).data?.type;
  if (type === undefined) throw new AppError("BAD_REQUEST", `Invalid ${widgetType} data`);
  const schema = Object.hasOwn(CHANGES[widgetType], type) ? CHANGES[widgetType][type] : undefined;
  if (schema === undefined) {
    throw new AppError("BAD_REQUEST", `Unknown type for ${widgetType} data: ${type}`);
  }
  const parsed = schema.safeParse(change);
  if (!parsed.success) {
    const [problem] = parsed.error.issues;
    const member = problem?.path.join(".") ?? "";
    const detail = member === "" ? "" : `: ${member}`;
    throw new AppError("BAD_REQUEST", `Invalid ${widgetType} data${detail}`);
  }
  const refusal = isAuthor ? undefined : AUTHOR_CHANGES.get(type);
  if (refusal !== undefined) throw new AppError("BAD_REQUEST", refusal);
  return JSON.stringify(parsed.data);
}

export const addSubmessageParams = {
  message_id: described(int(), "Id of a message that is a poll or a to-do list."),
  msg_type: described(choice(["widget"]), "Always `widget`."),
  content: described(
    text({ max: MAX_SUBMESSAGE }),
    "JSON with a `type`: `vote`, `new_option` or `question` for a poll; `new_task`, `strike` or " +
      "`new_task_list_title` for a to-do list.",
  ),
};
