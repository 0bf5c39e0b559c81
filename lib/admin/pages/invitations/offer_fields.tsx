import { useAdmin } from "@/components/admin/admin_view.ts";
import { CharacterCountHint } from "@/components/admin/CharacterCountHint.tsx";
import { CheckField, CheckList, SelectField, TextArea, TextInput } from "@/components/admin/fields.tsx";
import type { FormState } from "@/components/admin/form_state.ts";
import { ExpiryNote } from "@/islands/admin/invitations/LiveInvitations.tsx";
import { hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { defaultChannelIds, listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { canAddOthers } from "@/lib/chat/channels/subscriptions/model.ts";
import type { OfferRequest } from "@/lib/chat/joining/invites/model.ts";
import { hasRealmPermission } from "@/lib/chat/organization/permissions/model/membership.ts";
import { mayAddMembers } from "@/lib/chat/organization/user_groups/model/rules.ts";
import { type Role, ROLES } from "@/lib/chat/organization/users/model.ts";
import { compareNames } from "@/lib/core/text.ts";
import { FIELD_LABEL } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { findTooLong } from "@/lib/admin/find_too_long.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { describeDuration } from "@/lib/admin/describe_duration.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { listFirst } from "./invitation_list.tsx";

/** Roles, channels and groups that an administrator may offer. */
type InvitationChoices = Awaited<ReturnType<typeof readInvitationChoices>>;

export async function readInvitationChoices(request: AdminRequest) {
  const { chat, realm, user, messages } = request;
  const permissions = await request.readPermissions();
  const [known, defaultIds] = await Promise.all([
    listVisibleChannels(chat, permissions, user),
    defaultChannelIds.read(chat, realm.id),
  ]);
  const defaults = new Set(defaultIds);
  const open = known.filter((viewer) =>
    !viewer.channel.is_archived && hasContentAccess(permissions, viewer) &&
    (defaults.has(viewer.channel.id) || canAddOthers(permissions, viewer))
  );
  return {
    /** Roles up to the caller's own, highest first. */
    roles: ROLES.filter((role) => role >= user.role).map((role) => ({
      value: String(role),
      label: messages.shell.roles[role],
    })),
    channels: open.map(({ channel: { id, name } }) => ({
      value: String(id),
      label: `#${name}`,
      note: defaults.has(id) ? request.t("default") : undefined,
    })),
    groups: [...permissions.groups.values()]
      .filter(({ id, deactivated }) => !deactivated && mayAddMembers(permissions, id, user))
      .map(({ id, name }) => ({ value: String(id), label: name }))
      .sort((one, other) => compareNames(one.label, other.label)),
    /** Names of the default channels visible to the caller. */
    defaultNames: known.filter(({ channel }) => defaults.has(channel.id)).map(({ channel }) =>
      `#${channel.name}`
    ),
    mayEmail: hasRealmPermission(permissions, "can_invite_users_group", user),
    mayLink: hasRealmPermission(permissions, "create_multiuse_invite_group", user),
    /** Names of the channels visible to the caller, archived ones included. */
    channelNames: new Map(known.map(({ channel }) => [channel.id, channel.name])),
  };
}

const texts = {
  welcomes: { default: "Default message of the organization", none: "None", own: "Custom message…" },
  welcomeHint: {
    one: "Supports Markdown. Up to {count} character.",
    other: "Supports Markdown. Up to {count} characters.",
  },
  units: { minutes: "minutes", hours: "hours", days: "days", weeks: "weeks" },
};

/** Maximum length of a welcome message, in code points. */
const MAX_INVITATION_WELCOME = 8000;
/** Validity periods in minutes that are offered besides the configured one. */
const PRESETS: readonly number[] = [1440, 3 * 1440, 10 * 1440, 30 * 1440];
const UNIT_MINUTES: ReadonlyMap<string, number> = new Map(
  Object.entries({ minutes: 1, hours: 60, days: 1440, weeks: 7 * 1440 }),
);
const MAX_MINUTES = 99_999_999;

/** Returns the validity periods in minutes, ascending, and the default one. */
export function lifetimesOf({ chat }: AdminRequest) {
  const usual = chat.config.invitationLinkValidityMinutes;
  return { presets: [...new Set([...PRESETS, usual])].sort((one, other) => one - other), usual };
}

/**
 * Reads the offer of a form.
 * @throws FormRefusal with a sentence for each invalid field.
 */
export function readOffer(request: AdminRequest, fields: FormFields): OfferRequest {
  const welcome = readWelcome(fields);
  const problems = findTooLong(request, { welcome_text: [welcome ?? null, MAX_INVITATION_WELCOME] });
  const role = readRole(fields);
  if (role === null) problems["role"] = request.t("Choose a role.");
  const minutes = readMinutes(fields);
  if (minutes === undefined) {
    const isCustom = fields.text("lasts") === "custom";
    problems[isCustom ? "custom_number" : "lasts"] = request.t(
      isCustom ? "Enter a time from 1 minute to 190 years." : "Choose when it expires.",
    );
  }
  if (role === null || Object.keys(problems).length > 0) throw new FormRefusal(problems);
  return {
    invite_expires_in_minutes: minutes,
    invite_as: role,
    ...readPlaces(fields),
    welcome_message_custom_text: welcome,
    notify_referrer_on_join: fields.flag("notify"),
  };
}

/** Reads the channels and groups of a form. */
export function readPlaces(fields: FormFields) {
  return {
    stream_ids: fields.ints("channel"),
    group_ids: fields.ints("group"),
    include_realm_default_subscriptions: fields.flag("defaults"),
  };
}

/** Reads the role of a form; null without one. */
export function readRole(fields: FormFields): Role | null {
  const sent = fields.int("role");
  return ROLES.find((role) => role === sent) ?? null;
}

/** Null for no expiration; undefined for an invalid choice. */
function readMinutes(fields: FormFields): number | null | undefined {
  const lasts = fields.text("lasts");
  if (lasts === "never") return null;
  const count = fields.int(lasts === "custom" ? "custom_number" : "lasts") ?? 0;
  const minutes = count * (lasts === "custom" ? UNIT_MINUTES.get(fields.text("custom_unit")) ?? 0 : 1);
  return minutes >= 1 && minutes <= MAX_MINUTES ? minutes : undefined;
}

/** Undefined for the organization's message; empty for none. */
function readWelcome(fields: FormFields): string | undefined {
  const choice = fields.text("welcome");
  if (choice === "none") return "";
  const text = fields.text("welcome_text");
  // The API's marker for the organization's message is not a text of its own.
  return choice === "own" && text.trim() !== "null" ? text : undefined;
}

export interface OfferData {
  readonly kind: "email" | "link";
  readonly choices: InvitationChoices;
  readonly lifetimes: ReturnType<typeof lifetimesOf>;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

interface InvitationFieldsProps {
  readonly state: FormState;
  readonly data: OfferData;
}

/** Renders the fields that email invitations and links share: role, expiry, channels and groups. */
export function InvitationFields({ state, data }: InvitationFieldsProps) {
  const { t, opens } = useAdmin();
  const isOpen = ["channel", "group", "welcome_text"].some((name) =>
    state.value(name) !== "" || state.problem(name) !== undefined
  );
  return (
    <>
      <div class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] items-start gap-4">
        <RoleField state={state} choices={data.choices} stored="400" />
        <LifetimeFields state={state} data={data} />
        <DefaultChannelsField state={state} choices={data.choices} stored />
      </div>
      <details open={isOpen} class="text-small">
        <summary class="min-h-8 w-fit content-center font-medium underline decoration-edge underline-offset-4">
          {t("Additional channels, groups and welcome message")}
        </summary>
        <div class="grid gap-4 pt-4 pb-2 text-body sm:grid-cols-2">
          <ChannelAndGroupFields state={state} choices={data.choices} />
          {opens("/admin/organization") && <WelcomeFields state={state} />}
          {data.kind === "email" && (
            <div class="sm:pt-7">
              <CheckField
                state={state}
                name="notify"
                label={t("Notify me when an invitation is accepted")}
                stored
              />
            </div>
          )}
        </div>
      </details>
    </>
  );
}

interface ChoiceProps {
  readonly state: FormState;
  readonly choices: InvitationChoices;
}

export function RoleField({ state, choices, stored }: ChoiceProps & { readonly stored: string }) {
  const { t } = useAdmin();
  return <SelectField state={state} name="role" label={t("Role")} stored={stored} choices={choices.roles} />;
}

export function ChannelAndGroupFields(
  { state, choices, channels = [], groups = [] }: ChoiceProps & {
    readonly channels?: readonly string[];
    readonly groups?: readonly string[];
  },
) {
  const { t } = useAdmin();
  return (
    <>
      <CheckList
        state={state}
        name="channel"
        label={t("Additional channels")}
        hint={t("Channels that you can add people to.")}
        empty={t("There are no other channels that you can add people to.")}
        stored={channels}
        choices={choices.channels}
      />
      <CheckList
        state={state}
        name="group"
        label={t("Groups")}
        hint={t("Groups that you can add people to.")}
        empty={t("There are no groups that you can add people to.")}
        stored={groups}
        choices={choices.groups}
      />
    </>
  );
}

export function DefaultChannelsField({ state, choices, stored }: ChoiceProps & { readonly stored: boolean }) {
  const admin = useAdmin();
  const { t } = admin;
  const { defaultNames: names } = choices;
  return (
    <fieldset class="min-w-0">
      <legend class={`${FIELD_LABEL} mb-1.5`}>{t("Channels")}</legend>
      <label class="flex min-h-11 items-center gap-2.5 rounded-control border border-edge bg-paper px-3">
        <input
          type="checkbox"
          name="defaults"
          value="true"
          aria-describedby="defaults-hint"
          defaultChecked={state.isTicked("defaults", stored)}
          class="size-5 flex-none accent-ink"
        />
        {t("Default channels")}
      </label>
      <p id="defaults-hint" class="mt-1.5 text-small break-words text-soft">
        {names.length === 0
          ? t("There are none yet. Those that exist when someone joins count.")
          : listFirst(admin, names, names.length)}
      </p>
    </fieldset>
  );
}

function LifetimeFields({ state, data: { lifetimes: { usual, presets }, now } }: InvitationFieldsProps) {
  const admin = useTexts(texts);
  const { text, t, formatter, timeZone } = admin;
  return (
    <div class="group/lasts grid gap-3">
      <SelectField
        state={state}
        name="lasts"
        label={t("Expires after")}
        stored={String(usual)}
        choices={[
          ...presets.map((count) => ({ value: String(count), label: describeDuration(admin, 60 * count) })),
          { value: "never", label: t("Never expires") },
          { value: "custom", label: t("Custom…") },
        ]}
        hint={
          <ExpiryNote
            now={now}
            first={state.value("lasts", String(usual))}
            until={t("Expires {moment}")}
            never={t("Valid until revoked")}
            language={formatter.language}
            timeZone={timeZone}
          />
        }
      />
      <div class="hidden grid-cols-2 gap-3 group-has-[option[value=custom]:checked]/lasts:grid">
        <TextInput state={state} name="custom_number" type="number" label={t("Duration")} stored="2" />
        <SelectField
          state={state}
          name="custom_unit"
          label={t("Unit")}
          stored="days"
          choices={Object.entries(text.units).map(([value, label]) => ({ value, label }))}
        />
      </div>
    </div>
  );
}

function WelcomeFields({ state }: { state: FormState }) {
  const { text, t } = useTexts(texts);
  return (
    <div class="group/welcome grid content-start gap-3">
      <SelectField
        state={state}
        name="welcome"
        label={t("Welcome message")}
        hint={t("A direct message that people receive after joining.")}
        stored="default"
        choices={Object.entries(text.welcomes).map(([value, label]) => ({ value, label }))}
      />
      <div class="hidden group-has-[option[value=own]:checked]/welcome:block">
        <TextArea
          state={state}
          name="welcome_text"
          label={t("Custom message")}
          rows={4}
          hint={
            <CharacterCountHint
              text={text.welcomeHint}
              fieldId="welcome_text"
              limit={MAX_INVITATION_WELCOME}
            />
          }
        />
      </div>
    </div>
  );
}
