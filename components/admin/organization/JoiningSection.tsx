import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { OrganizationData } from "@/lib/admin/organization/organization_data.ts";
import { FIELD_HINT, FIELD_LABEL } from "@/lib/ui/class_names.ts";
import { ActionButton, ActionLabel, ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { DataTable } from "../DataTable.tsx";
import { CheckField, TextInput } from "../fields.tsx";
import { type FormState, formState } from "../form_state.ts";
import { SettingFlags } from "./SettingFlags.tsx";
import { OwnersOnly, OwnersOnlyHint, SettingsSection } from "./SettingsSection.tsx";

type SettingsProps = AdminPageData<OrganizationData>;

/**
 * Renders the settings for owners about allowed addresses, the waiting period of full members and email
 * domains.
 */
export function JoiningSection({ data, refused }: SettingsProps) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const state = formState(refused, "joining");
  const fields = <JoiningFields data={data} state={state} />;
  return (
    <>
      <SettingsSection id="joining" title={text.joining} help={text.joiningHelp}>
        <OwnersOnly isOwner={data.isOwner} title={text.joining} fields={fields}>
          <AdminForm state={state} button={text.saves.joining} hidden={{ seen: data.seen.joining }}>
            {fields}
          </AdminForm>
        </OwnersOnly>
      </SettingsSection>
      <SettingsSection id="domains" title={text.domains} help={text.domainsHelp}>
        {!data.isOwner && <OwnersOnlyHint />}
        {data.settings.domains.length === 0
          ? <p class="text-soft">{text.noDomains}</p>
          : <DomainTable data={data} />}
        {data.isOwner && <AddDomainForm refused={refused} />}
      </SettingsSection>
    </>
  );
}

function JoiningFields({ data, state }: { data: OrganizationData; state: FormState }) {
  const { messages: { organization: { fields } } } = useAdmin();
  const { settings, limits } = data;
  return (
    <>
      <SettingFlags section="joining" data={data} state={state} />
      <ConfirmationChoice data={data} state={state} />
      <div class="max-w-72">
        <TextInput
          state={state}
          name="waiting_period_threshold"
          type="text"
          {...fields.waiting_period_threshold}
          stored={String(settings.waiting_period_threshold)}
          maxLength={String(limits.waitingDays).length}
        />
      </div>
    </>
  );
}

const CONFIRMATIONS = ["automatic", "required", "not_required"] as const;

/** Renders the choice whether people who join by link confirm their address, each with what it means now. */
function ConfirmationChoice({ data, state }: { data: OrganizationData; state: FormState }) {
  const { messages: { organization: text, invitations } } = useAdmin();
  const chosen = state.value("email_confirmation", data.settings.email_confirmation);
  return (
    <fieldset class="grid min-w-0 gap-y-1">
      <legend class={`${FIELD_LABEL} mb-1.5`}>{text.fields.email_confirmation.label}</legend>
      {CONFIRMATIONS.map((choice) => (
        <label key={choice} class="flex items-start gap-2.5 py-1.5 text-small">
          <input
            type="radio"
            name="email_confirmation"
            value={choice}
            defaultChecked={choice === chosen}
            aria-describedby={`confirmation-${choice}`}
            class="mt-0.5 size-5 flex-none accent-ink"
          />
          <span class="grid min-w-0">
            <span class="font-strong">{text.confirmations[choice]}</span>
            <span id={`confirmation-${choice}`} class={FIELD_HINT}>
              {invitations.linkJoining[data.linkJoining[choice]]}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function DomainTable({ data }: { data: OrganizationData }) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const columns = [
    { title: text.domain },
    { title: text.subdomains },
    ...(data.isOwner ? [{ title: messages.common.actions, isAtEnd: true, isClear: true, isWide: true }] : []),
  ];
  const rows = data.settings.domains.map(({ domain, allow_subdomains }) => ({
    id: domain,
    cells: [
      <bdi key="name" class="min-w-0 break-all">{domain}</bdi>,
      <span key="subdomains" class="whitespace-nowrap">
        {allow_subdomains ? text.subdomainsCount : text.subdomainsDoNot}
      </span>,
      ...(data.isOwner
        ? [<DomainActions key="actions" domain={domain} allowsSubdomains={allow_subdomains} />]
        : []),
    ],
  }));
  return <DataTable caption={text.domains} columns={columns} rows={rows} />;
}

function DomainActions({ domain, allowsSubdomains }: { domain: string; allowsSubdomains: boolean }) {
  const { messages, formatter } = useAdmin();
  const text = messages.organization;
  return (
    <ActionLabel>
      <ActionButton
        action="change_domain"
        fields={{ name: domain, allow: String(!allowsSubdomains) }}
        label={formatter.t(allowsSubdomains ? text.leaveSubdomainsOf : text.countSubdomainsOf, {
          name: domain,
        })}
      >
        {allowsSubdomains ? text.leaveSubdomains : text.countSubdomains}
      </ActionButton>
      <ActionLink
        href={`/admin/organization/domains/${encodeURIComponent(domain)}/remove`}
        about={domain}
      >
        {text.remove}
      </ActionLink>
    </ActionLabel>
  );
}

function AddDomainForm({ refused }: Pick<SettingsProps, "refused">) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const state = formState(refused, "add_domain");
  return (
    <AdminForm state={state} button={text.addDomain}>
      <TextInput state={state} name="domain" label={text.domain} hint={text.domainHint} />
      <CheckField state={state} name="allow_subdomains" label={text.allowSubdomains} stored={false} />
    </AdminForm>
  );
}
