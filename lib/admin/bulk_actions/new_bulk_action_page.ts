import { type BulkChange, createBulkAction } from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { isOwner, type Role, ROLES } from "@/lib/chat/users/model.ts";
import { compareNames } from "@/lib/core/compare_names.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { listShownChannels } from "../channels/channel_choices.ts";
import type { FormFields } from "../form_fields.ts";
import { requireRevision, revisionOf } from "../revision.ts";
import { readSelection } from "./account_selection.ts";

/** Number of accounts that the page names. */
const MAX_NAMED = 20;
/** Maximum number of groups and of channels to choose from. */
const MAX_CHOICES = 500;

/** Changes that can be chosen. */
const KINDS = ["set_role", "add_to_group", "subscribe", "unsubscribe", "deactivate"] as const;

/** A group or channel to choose. */
export interface BulkChoice {
  readonly id: number;
  readonly name: string;
}

/** Data of the page that changes many accounts. */
export interface NewBulkActionData {
  /** Number of accounts. */
  readonly count: number;
  /** Names of the first accounts. */
  readonly names: readonly string[];
  readonly kinds: typeof KINDS;
  /** Roles that the viewer may assign. */
  readonly roles: readonly Role[];
  readonly groups: readonly BulkChoice[];
  readonly channels: readonly BulkChoice[];
  readonly seen: string;
}

/** The page that changes the selected accounts. */
export const newBulkActionPage: AdminPageSpec<NewBulkActionData> = {
  load: loadPage,
  actions: { apply: { run: apply } },
};

async function loadPage(request: AdminRequest): Promise<NewBulkActionData> {
  const { chat, realm, user } = request;
  const [users, permissions, channels] = await Promise.all([
    readSelection(request),
    peekPermissionContext(chat, realm),
    listShownChannels(request),
  ]);
  const groups = [...permissions.groups.values()].filter(({ deactivated }) => !deactivated)
    .sort((one, other) => compareNames(one.name, other.name));
  return {
    count: users.length,
    names: users.slice(0, MAX_NAMED).map(({ full_name }) => full_name),
    kinds: KINDS,
    roles: ROLES.filter((role) => isOwner(user) || role !== 100),
    groups: groups.slice(0, MAX_CHOICES).map(toChoice),
    channels: channels.slice(0, MAX_CHOICES).map(toChoice),
    seen: revisionOf(users.map(({ id }) => id)),
  };
}

function toChoice({ id, name }: BulkChoice): BulkChoice {
  return { id, name };
}

async function apply(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, messages } = request;
  const change = readChange(request, fields);
  const items = (await readSelection(request)).map(({ id }) => id);
  requireRevision(request, fields, items);
  const { id } = await createBulkAction(chat, caller, { change, items });
  return { flash: messages.bulkActions.started, to: `/admin/bulk-actions/${id}` };
}

/**
 * Reads the change of a form.
 * @throws FormRefusal when it is incomplete.
 */
function readChange({ messages }: AdminRequest, fields: FormFields): BulkChange {
  const text = messages.bulkActions;
  const require = (name: string, problem: string) => {
    const id = fields.int(name);
    if (id === null) throw new FormRefusal({ [name]: problem });
    return id;
  };
  // Class names cannot contain underscores, so the values in the form have hyphens.
  switch (KINDS.find((kind) => kind === fields.text("what").replaceAll("-", "_"))) {
    case "set_role": {
      const role = ROLES.find((known) => known === fields.int("role"));
      if (role === undefined) throw new FormRefusal({ role: text.chooseRole });
      return { kind: "set_role", role };
    }
    case "add_to_group":
      return { kind: "add_to_group", group_id: require("group", text.chooseGroup) };
    case "subscribe":
      return { kind: "subscribe", channel_id: require("channel", text.chooseChannel) };
    case "unsubscribe":
      return { kind: "unsubscribe", channel_id: require("channel", text.chooseChannel) };
    case "deactivate":
      return { kind: "deactivate" };
    default:
      throw new FormRefusal({ what: text.chooseWhat });
  }
}
