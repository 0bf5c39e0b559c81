import { MAX_REALM_NAME } from "@/lib/chat/organizations/create.ts";
import {
  MAX_REALM_DESCRIPTION,
  MAX_WAITING_DAYS,
  MAX_WELCOME_TEXT,
} from "@/lib/chat/organizations/params.ts";
import { changeRealm } from "@/lib/chat/organizations/settings.ts";
import { prepareContent } from "@/lib/chat/messages/prepare_content.ts";
import type { RealmSettings } from "@/lib/chat/realm/realm.ts";
import { isOwner } from "@/lib/chat/users/user.ts";
import type { AdminAction, AdminPageSpec, Done } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import { listShownChannels } from "./channel_choices.ts";
import type { FormFields } from "./form_fields.ts";
import { addDomainAction, changeDomainAction } from "./organization_domains.ts";
import {
  MAX_CUSTOM_TIME,
  readSection,
  readWelcome,
  REALM_SECTIONS,
  realmFieldOf,
  type RealmSection,
  sectionValues,
} from "./realm_sections.ts";
import { requireRevision, revisionOf } from "./seen.ts";

/** What the page of the organization's settings shows. */
export interface OrganizationData {
  readonly name: string;
  readonly description: string;
  readonly settings: RealmSettings;
  readonly isOwner: boolean;
  /** Channels for announcements, by name. */
  readonly channels: readonly { readonly id: number; readonly name: string }[];
  /** Whether the server lets anything be read without an account. */
  readonly isWebAllowed: boolean;
  /** The mark of what each section's form was filled with. */
  readonly seen: Readonly<Record<RealmSection, string>>;
  readonly limits: {
    readonly name: number;
    readonly description: number;
    readonly welcome: number;
    readonly waitingDays: number;
    readonly time: number;
  };
}

/** The page of the organization's settings: sections, each with a form of its own, and the domains. */
export const organizationPage: AdminPageSpec<OrganizationData> = {
  load: loadOrganization,
  actions: {
    ...Object.fromEntries(REALM_SECTIONS.map((section) => [section, sectionAction(section)])),
    preview: { run: previewWelcome, fieldOf: () => "welcome_message_custom_text" },
    add_domain: addDomainAction,
    change_domain: changeDomainAction,
  },
};

async function loadOrganization(request: AdminRequest): Promise<OrganizationData> {
  const { chat, realm, user } = request;
  const channels = await listShownChannels(request);
  const seen = (section: RealmSection) => revisionOf(sectionValues(realm, section));
  return {
    name: realm.name,
    description: realm.description,
    settings: realm.settings,
    isOwner: isOwner(user),
    channels: channels.map(({ id, name }) => ({ id, name })),
    isWebAllowed: chat.config.webPublicStreamsEnabled,
    seen: {
      profile: seen("profile"),
      joining: seen("joining"),
      welcome: seen("welcome"),
      accounts: seen("accounts"),
      messages: seen("messages"),
      visitors: seen("visitors"),
    },
    limits: {
      name: MAX_REALM_NAME,
      description: MAX_REALM_DESCRIPTION,
      welcome: MAX_WELCOME_TEXT,
      waitingDays: MAX_WAITING_DAYS,
      time: MAX_CUSTOM_TIME,
    },
  };
}

function sectionAction(section: RealmSection): AdminAction {
  return {
    run: async (request, fields) => {
      const { chat, realm, user, words } = request;
      requireRevision(request, fields, sectionValues(realm, section));
      const changes = readSection(request, fields, section);
      await changeRealm(chat, { realmId: realm.id, actingUser: user }, changes);
      return { said: words.organization.saved, to: `/admin/organization#${section}` };
    },
    fieldOf: realmFieldOf,
  };
}

/** A draft: what those who join would be shown; nothing is kept. */
async function previewWelcome(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, user } = request;
  const text = readWelcome(request, fields);
  const html = text.trim() === "" ? "" : (await prepareContent(chat, { realm, author: user }, text)).html;
  return { said: "", isDraft: true, result: { html } };
}
