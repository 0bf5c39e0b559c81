import { hasMetadataAccess } from "@/lib/chat/channels/model/access.ts";
import { readChannelViewer } from "@/lib/chat/channels/store.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { choiceFieldOf } from "@/lib/ui/people_field.ts";
import { type AdminPageSpec, FormRefusal, type RefusedForm } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import { findPeople } from "../people/find_people.ts";
import { type ExplainedPerson, explainPerson } from "../users/user_permissions_page.ts";

/** Field for the person. */
const PERSON = "person";

/** Data of the page that explains what a person can do in a channel. */
export interface ChannelPermissionsData {
  readonly id: number;
  readonly name: string;
  /** The form with what was entered and its problems; null before anything was entered. */
  readonly asked: RefusedForm | null;
  /** Null while no person is chosen. */
  readonly person: ExplainedPerson | null;
  /** Permissions to choose from. */
  readonly choices: readonly { readonly setting: string; readonly label: string }[];
  /** The chosen permission; empty for all. */
  readonly setting: string;
}

/** The page that explains what a person can do in a channel. */
export const channelPermissionsPage: AdminPageSpec<ChannelPermissionsData> = {
  load: loadChannelPermissions,
};

async function loadChannelPermissions(request: AdminRequest): Promise<ChannelPermissionsData | null> {
  const { chat, realm, user, query, messages } = request;
  const reads = { get: chat.reads.read };
  const channelId = pathId(request);
  const viewer = await readChannelViewer(reads, { realmId: realm.id, channelId, user });
  const permissions = await peekPermissionContext(chat, realm);
  if (viewer === null || !hasMetadataAccess(permissions, viewer)) return null;
  const { asked, userId } = await findPerson(request);
  const setting = query.get("permission") ?? "";
  const texts = messages.permissions.settings.channel;
  const choices = [
    { setting: "read", label: messages.permissions.explain.read },
    ...Object.entries(texts).map(([setting, { label }]) => ({ setting, label })),
  ];
  return {
    id: channelId,
    name: viewer.channel.name,
    asked,
    person: userId === null ? null : await explainPerson(request, { userId, channelId, setting }),
    choices,
    setting: choices.some((choice) => choice.setting === setting) ? setting : "",
  };
}

/** Finds the person that the query names; with the problem of a name that means no one or several. */
async function findPerson(
  request: AdminRequest,
): Promise<{ asked: RefusedForm | null; userId: number | null }> {
  const { query, messages } = request;
  const text = (query.get(PERSON) ?? "").trim();
  if (text === "") return { asked: null, userId: null };
  const chosen = query.getAll(choiceFieldOf(PERSON)).map(Number).filter(Number.isSafeInteger);
  const asked = { action: "explain", typed: { [PERSON]: [text] } };
  try {
    const [person, ...others] = await findPeople(request, { text, chosen }, PERSON);
    const problems = others.length > 0 ? { [PERSON]: messages.permissions.explain.onePerson } : {};
    return { asked: { ...asked, problems }, userId: others.length > 0 ? null : person?.id ?? null };
  } catch (error) {
    if (!(error instanceof FormRefusal)) throw error;
    return { asked: { ...asked, problems: error.problems, choices: error.choices }, userId: null };
  }
}
