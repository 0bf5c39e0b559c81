import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { OrganizationData } from "@/lib/admin/organization_page.ts";
import { ActionButton, ActionLink, ActionWords } from "../ActionWords.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { DataTable } from "../DataTable.tsx";
import { CheckField, TextInput } from "../fields.tsx";
import { type FormState, formState } from "../form_state.ts";
import { OwnersNote, OwnersOnly, SettingsSection } from "./SettingsSection.tsx";

type SettingsProps = AdminPageData<OrganizationData>;

/** Which addresses may join, when newcomers are full members, and the organization's own domains; for owners. */
export function JoiningSection({ data, refused }: SettingsProps) {
  const { words } = useAdmin();
  const text = words.organization;
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
        {!data.isOwner && <OwnersNote />}
        {data.settings.domains.length === 0
          ? <p class="text-soft">{text.noDomains}</p>
          : <DomainTable data={data} />}
        {data.isOwner && <AddDomainForm refused={refused} />}
      </SettingsSection>
    </>
  );
}

function JoiningFields({ data, state }: { data: OrganizationData; state: FormState }) {
  const { words } = useAdmin();
  const text = words.organization;
  const { settings, limits } = data;
  return (
    <>
      <CheckField
        state={state}
        name="emails_restricted_to_domains"
        label={text.restricted}
        hint={text.restrictedHint}
        stored={settings.emails_restricted_to_domains}
      />
      <CheckField
        state={state}
        name="disallow_disposable_email_addresses"
        label={text.disposable}
        hint={text.disposableHint}
        stored={settings.disallow_disposable_email_addresses}
      />
      <div class="max-w-72">
        <TextInput
          state={state}
          name="waiting_period_threshold"
          type="text"
          label={text.waiting}
          hint={text.waitingHint}
          stored={String(settings.waiting_period_threshold)}
          maxLength={String(limits.waitingDays).length}
        />
      </div>
    </>
  );
}

function DomainTable({ data }: { data: OrganizationData }) {
  const { words } = useAdmin();
  const text = words.organization;
  const columns = [
    { title: text.domain },
    { title: text.subdomains },
    ...(data.isOwner ? [{ title: words.common.actions, isAtEnd: true }] : []),
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
  const { words, speech } = useAdmin();
  const text = words.organization;
  return (
    <ActionWords>
      <ActionButton
        action="change_domain"
        fields={{ name: domain, allow: String(!allowsSubdomains) }}
        label={speech.say(allowsSubdomains ? text.leaveSubdomainsOf : text.countSubdomainsOf, {
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
    </ActionWords>
  );
}

function AddDomainForm({ refused }: Pick<SettingsProps, "refused">) {
  const { words } = useAdmin();
  const text = words.organization;
  const state = formState(refused, "add_domain");
  return (
    <AdminForm state={state} button={text.addDomain}>
      <TextInput state={state} name="domain" label={text.domain} hint={text.domainHint} />
      <CheckField state={state} name="allow_subdomains" label={text.allowSubdomains} stored={false} />
    </AdminForm>
  );
}
