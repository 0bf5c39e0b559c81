import {
  getLinkJoining,
  type LinkJoining,
  MAX_REALM_DESCRIPTION,
  MAX_REALM_NAME,
} from "@/lib/chat/organizations/model.ts";
import {
  type EmailConfirmation,
  MAX_WAITING_DAYS,
  MAX_WELCOME_TEXT,
  type RealmSettingName,
  type RealmSettings,
} from "@/lib/chat/organizations/settings.ts";
import { updateRealm } from "@/lib/chat/organizations/update_realm.ts";
import { prepareContent } from "@/lib/chat/messages/prepare_content.ts";
import { isOwner } from "@/lib/chat/users/model.ts";
import type { AdminAction, AdminPageSpec, Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { listShownChannels } from "../channels/channel_choices.ts";
import type { FormFields } from "../form_fields.ts";
import { addDomainAction, changeDomainAction } from "./organization_domains.ts";
import {
  listFlags,
  mapSections,
  MAX_CUSTOM_TIME,
  readSection,
  readWelcome,
  REALM_FIELDS,
  type RealmSection,
  sectionValues,
} from "./realm_sections.ts";
import { requireRevision, revisionOf } from "../revision.ts";

/** Data of the organization's settings page. */
export interface OrganizationData {
  readonly name: string;
  readonly description: string;
  readonly settings: RealmSettings;
  /** Names of the yes/no settings of each section. */
  readonly flags: Readonly<Record<RealmSection, readonly RealmSettingName[]>>;
  /** Way in which people would join by a reusable link now, by each choice of the confirmation of addresses. */
  readonly linkJoining: Readonly<Record<EmailConfirmation, LinkJoining>>;
  readonly isOwner: boolean;
  /** Channels for announcements, by name. */
  readonly channels: readonly { readonly id: number; readonly name: string }[];
  /** Whether the server allows reading without an account. */
  readonly isWebAllowed: boolean;
  /** Revision of each section's form. */
  readonly seen: Readonly<Record<RealmSection, string>>;
  readonly limits: {
    readonly name: number;
    readonly description: number;
    readonly welcome: number;
    readonly waitingDays: number;
    readonly time: number;
  };
}

/** The organization's settings page: sections with a form each, and the domains. */
export const organizationPage: AdminPageSpec<OrganizationData> = {
  load: loadOrganization,
  actions: {
    ...mapSections(sectionAction),
    preview: { run: previewWelcome, fieldOf: () => "welcome_message_custom_text" },
    add_domain: addDomainAction,
    change_domain: changeDomainAction,
  },
};

async function loadOrganization(request: AdminRequest): Promise<OrganizationData> {
  const { chat, realm, user } = request;
  const channels = await listShownChannels(request);
  const joiningWith = (email_confirmation: EmailConfirmation) =>
    getLinkJoining(chat, { ...realm, settings: { ...realm.settings, email_confirmation } });
  return {
    name: realm.name,
    description: realm.description,
    settings: realm.settings,
    flags: mapSections(listFlags),
    linkJoining: {
      automatic: joiningWith("automatic"),
      required: joiningWith("required"),
      not_required: joiningWith("not_required"),
    },
    isOwner: isOwner(user),
    channels: channels.map(({ id, name }) => ({ id, name })),
    isWebAllowed: chat.config.webPublicStreamsEnabled,
    seen: mapSections((section) => revisionOf(sectionValues(realm, section))),
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
      const { chat, realm, caller, messages } = request;
      requireRevision(request, fields, sectionValues(realm, section));
      const changes = readSection(request, fields, section);
      await updateRealm(chat, caller, changes);
      return { flash: messages.organization.saved, to: `/admin/organization#${section}` };
    },
    fields: REALM_FIELDS,
  };
}

/** Previews the welcome message; stores nothing. */
async function previewWelcome(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, user } = request;
  const text = readWelcome(request, fields);
  const html = text.trim() === "" ? "" : (await prepareContent(chat, { realm, author: user }, text)).html;
  return { flash: "", isDraft: true, result: { html } };
}
