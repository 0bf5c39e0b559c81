import { ROLE_TITLES } from "@/lib/ui/texts.ts";
import type { JSX } from "preact";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { SelectField, TextInput } from "@/components/admin/fields.tsx";
import type { FormState } from "@/components/admin/form_state.ts";
import { ExpiryNote, UNIT_MINUTES } from "@/islands/admin/invitations/LiveTimes.tsx";
import { hasContentAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { defaultChannelIds, listVisibleChannels } from "@/lib/chat/channels/store.ts";
import { canAddOthers } from "@/lib/chat/channels/subscriptions/model.ts";
import type { OfferRequest } from "@/lib/chat/joining/invites/model.ts";
import { mayAddMembers } from "@/lib/chat/organization/user_groups/model/rules.ts";
import { ROLE, type Role, ROLES } from "@/lib/chat/organization/users/model.ts";
import { compareNames } from "@/lib/core/text.ts";
import { FIELD_LABEL } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { choice, flag, record, records, text } from "@/lib/admin/declare/fields.tsx";
import type { Field, FieldProps } from "@/lib/admin/declare/form.tsx";
import { describeDuration } from "@/lib/admin/describe_duration.ts";
import { listFirst } from "./invitation_list.tsx";

/** Lists what the caller may offer, by field. */
export async function readOfferOptions(request: AdminRequest) {
  const { chat, realm, user, t } = request;
  const permissions = await request.readPermissions();
  const [known, defaultIds] = await Promise.all([
    listVisibleChannels(chat, permissions, user),
    defaultChannelIds.read(chat, realm.id),
  ]);
  const isDefault = (id: number) => defaultIds.includes(id);
  return {
    /** Roles up to the caller's own, highest first. */
    role: ROLES.filter((role) => role >= user.role).map((id) => ({ id, name: t(ROLE_TITLES[id]) })),
    channel: known.filter((viewer) =>
      !viewer.channel.is_archived && hasContentAccess(permissions, viewer) &&
      (isDefault(viewer.channel.id) || canAddOthers(permissions, viewer))
    ).map(({ channel: { id, name } }) => ({
      id,
      name: `#${name}`,
      note: isDefault(id) ? t("default") : undefined,
    })),
    group: [...permissions.groups.values()]
      .filter(({ id, deactivated }) => !deactivated && mayAddMembers(permissions, id, user))
      .map(({ id, name }) => ({ id, name }))
      .sort((one, other) => compareNames(one.name, other.name)),
    /** The default channels that the caller can see. */
    defaults: known.filter(({ channel }) => isDefault(channel.id))
      .map(({ channel: { id, name } }) => ({ id, name: `#${name}` })),
  };
}

const role: Field<Role> = {
  ...record({ label: "Role", missing: "Choose a role." }),
  read: (submitted, name, { t }) => {
    const role = ROLES.find((known) => known === submitted.int(name));
    if (role === undefined) throw new FormRefusal({ [name]: t("Choose a role.") });
    return role;
  },
};

/** Fields of what people who join get, which can be changed for a reusable link. */
export const termsFields = {
  role,
  defaults: { ...flag({ label: "Default channels" }), View: DefaultChannels },
  channel: records({
    label: "Additional channels",
    hint: "Channels that you can add people to.",
    empty: "There are no other channels that you can add people to.",
  }),
  group: records({
    label: "Groups",
    hint: "Groups that you can add people to.",
    empty: "There are no groups that you can add people to.",
  }),
};

/** Greatest validity in minutes. */
const MAX_MINUTES = 99_999_999;
/** Validity periods in minutes that are offered besides the configured one. */
const PRESETS: readonly number[] = [1440, 3 * 1440, 10 * 1440, 30 * 1440];

const welcome = choice({
  label: "Welcome message",
  hint: "A direct message that people receive after joining.",
  options: { default: "Default message of the organization", none: "None", own: "Custom message…" },
  otherwise: "default",
});
const ownWelcome = text({
  label: "Custom message",
  hint: {
    one: "Supports Markdown. Up to {count} character.",
    other: "Supports Markdown. Up to {count} characters.",
  },
  max: 8000,
  countsDown: true,
  rows: 4,
  keepsBlanks: true,
});

/** Fields of an invitation or a new reusable link. */
export const offerFields = {
  ...termsFields,
  /** Minutes, or null for no expiration; the page renders it. */
  lasts: {
    read: (submitted, name, { t }) => {
      const lasts = submitted.text(name);
      if (lasts === "never") return null;
      const isCustom = lasts === "custom";
      const count = submitted.int(isCustom ? "custom_number" : name) ?? 0;
      const minutes = count * (isCustom ? UNIT_MINUTES.get(submitted.text("custom_unit")) ?? 0 : 1);
      if (minutes >= 1 && minutes <= MAX_MINUTES) return minutes;
      throw new FormRefusal(
        isCustom
          ? { custom_number: t("Enter a time from 1 minute to 190 years.") }
          : { [name]: t("Choose when it expires.") },
      );
    },
    View: () => null,
  } satisfies Field<number | null>,
  /** Undefined for the organization's message, empty for none. */
  welcome: {
    read: async (submitted, name, request) => {
      const chosen = await welcome.read(submitted, name, request);
      const own = await ownWelcome.read(submitted, "welcome_text", request);
      if (chosen === "none") return "";
      // The API's marker for the organization's message is not a text of its own.
      if (chosen === "default" || own.trim() === "null") return undefined;
      const problem = ownWelcome.check?.(own, request) ?? null;
      if (problem !== null) throw new FormRefusal({ welcome_text: problem });
      return own;
    },
    View: ({ name, state }) => (
      <div class="group/welcome grid content-start gap-3">
        <welcome.View name={name} state={state} stored={undefined} options={[]} />
        <div class="hidden group-has-[option[value=own]:checked]/welcome:block">
          <ownWelcome.View name="welcome_text" state={state} stored={undefined} options={[]} />
        </div>
      </div>
    ),
  } satisfies Field<string | undefined>,
  notify: flag({ label: "Notify me when an invitation is accepted" }),
};

type OfferValues = {
  readonly [Name in keyof typeof offerFields]: Awaited<ReturnType<typeof offerFields[Name]["read"]>>;
};

/** Values of a new form. */
export const NEW_OFFER: Partial<OfferValues> = { role: ROLE.member, defaults: true, notify: true };

export function toOfferRequest(values: OfferValues): OfferRequest {
  return {
    invite_expires_in_minutes: values.lasts,
    invite_as: values.role,
    stream_ids: values.channel,
    group_ids: values.group,
    include_realm_default_subscriptions: values.defaults,
    welcome_message_custom_text: values.welcome,
    notify_referrer_on_join: values.notify,
  };
}

export interface OfferFieldsProps {
  /** The rendered fields. */
  readonly fields: Readonly<Record<keyof typeof offerFields, JSX.Element>>;
  readonly state: FormState;
  readonly kind: "email" | "link";
  readonly expiry: ExpiryProps;
}

/** Arranges the fields that email invitations and links share: role, expiry, channels and groups. */
export function OfferFields({ fields, state, kind, expiry }: OfferFieldsProps) {
  const { t, opens } = useAdmin();
  const isOpen = ["channel", "group", "welcome_text"].some((name) =>
    state.value(name) !== "" || state.problem(name) !== undefined
  );
  return (
    <>
      <div class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] items-start gap-4">
        {fields.role}
        <Expiry state={state} {...expiry} />
        {fields.defaults}
      </div>
      <details open={isOpen} class="text-small">
        <summary class="min-h-8 w-fit content-center font-medium underline decoration-edge underline-offset-4">
          {t("Additional channels, groups and welcome message")}
        </summary>
        <div class="grid gap-4 pt-4 pb-2 text-body sm:grid-cols-2">
          {fields.channel}
          {fields.group}
          {opens("/admin/organization") && fields.welcome}
          {kind === "email" && <div class="sm:pt-7">{fields.notify}</div>}
        </div>
      </details>
    </>
  );
}

function DefaultChannels({ name, state, stored = false, options }: FieldProps<boolean>) {
  const admin = useAdmin();
  const { t } = admin;
  return (
    <fieldset class="min-w-0">
      <legend class={`${FIELD_LABEL} mb-1.5`}>{t("Channels")}</legend>
      <label class="flex min-h-11 items-center gap-2.5 rounded-control border border-edge bg-paper px-3">
        <input
          type="checkbox"
          name={name}
          value="true"
          aria-describedby="defaults-hint"
          defaultChecked={state.isTicked(name, stored)}
          class="size-5 flex-none accent-ink"
        />
        {t("Default channels")}
      </label>
      <p id="defaults-hint" class="mt-1.5 text-small break-words text-soft">
        {options.length === 0
          ? t("There are none yet. Those that exist when someone joins count.")
          : listFirst(admin, options.map((channel) => channel.name), options.length)}
      </p>
    </fieldset>
  );
}

interface ExpiryProps {
  /** Minutes for which an invitation is valid unless another period is chosen. */
  readonly usual: number;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

function Expiry({ state, usual, now }: ExpiryProps & Pick<OfferFieldsProps, "state">) {
  const admin = useAdmin();
  const { t, formatter, timeZone } = admin;
  const minutes = [...new Set([...PRESETS, usual])].sort((one, other) => one - other);
  return (
    <div class="group/lasts grid gap-3">
      <SelectField
        state={state}
        name="lasts"
        label={t("Expires after")}
        stored={String(usual)}
        choices={[
          ...minutes.map((count) => ({ value: String(count), label: describeDuration(admin, 60 * count) })),
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
          choices={[...UNIT_MINUTES.keys()].map((unit) => ({ value: unit, label: t(unit) }))}
        />
      </div>
    </div>
  );
}
