import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { Table } from "@/components/admin/Table.tsx";
import { addDomain, removeDomain, updateDomain } from "@/lib/chat/organization/organizations/edit_domains.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { isOwner } from "@/lib/chat/organization/users/model.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { confirmPage } from "@/lib/admin/declare/confirm.tsx";
import { flag, text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { ofSubject } from "@/lib/admin/events/shown_events.ts";

const texts = {
  remove:
    "Existing users keep their accounts. If joining is restricted, new users can no longer join with an address of this domain.",
  removeLast:
    "This is the last domain. Existing users keep their accounts, and anyone can join with any address.",
};

const PATH = "/admin/organization";
/** Position of the domains on the page of the organization. */
const DOMAINS = `${PATH}#domains`;

export const addAllowedDomain = form({
  action: "add_domain",
  button: "Add domain",
  fields: {
    domain: text({ label: "Domain", hint: "For example, example.com.", isExact: true }),
    allow_subdomains: flag({ label: "Include subdomains" }),
  },
  refusedAt: "domain",
  run: async ({ chat, caller, t }, values) => {
    await addDomain(chat, caller, values);
    return { flash: t("Domain {name} added.", { name: values.domain }), to: DOMAINS };
  },
});

/** Decides whether subdomains of a domain are allowed. */
export const changeDomain = form({
  action: "change_domain",
  run: async ({ chat, caller, t }, _, submitted) => {
    const domain = submitted.exact("name");
    await updateDomain(chat, caller, { domain, allow_subdomains: submitted.text("allow") === "true" });
    return { flash: t("Domain {name} changed.", { name: domain }), to: DOMAINS };
  },
});

/** Renders the allowed domains, with the forms that change them for owners. */
export function Domains({ settings: { domains } }: Pick<RealmRecord, "settings">) {
  const { user, t } = useAdmin();
  return (
    <>
      {domains.length === 0 ? <p class="text-soft">{t("There are no domains yet.")}</p> : (
        <Table
          caption={t("Allowed domains")}
          items={domains}
          keyOf={({ domain }) => domain}
          columns={[
            { title: t("Domain"), cell: ({ domain }) => <bdi class="min-w-0 break-all">{domain}</bdi> },
            {
              title: t("Subdomains"),
              isShort: true,
              cell: ({ allow_subdomains }) => <span>{t(allow_subdomains ? "included" : "not included")}
              </span>,
            },
          ]}
          {...(isOwner(user) ? { actions: DomainActions } : {})}
        />
      )}
      {isOwner(user) && <Form of={addAllowedDomain} look={QUIET_BUTTON} />}
    </>
  );
}

function DomainActions({ domain: name, allow_subdomains }: RealmRecord["settings"]["domains"][number]) {
  const { t } = useAdmin();
  const [label, full] = allow_subdomains
    ? ["Exclude subdomains", "Exclude subdomains of {name}"] as const
    : ["Include subdomains", "Include subdomains of {name}"] as const;
  const fields = { name, allow: String(!allow_subdomains) };
  return (
    <>
      <ActionButton action={changeDomain.action} fields={fields} label={t(full, { name })}>
        {t(label)}
      </ActionButton>
      <ActionLink href={`${PATH}/domains/${encodeURIComponent(name)}/remove`} about={name}>
        {t("Remove")}
      </ActionLink>
    </>
  );
}

/** The page that confirms removing an allowed domain. */
export const removeDomainPage = confirmPage({
  path: `${PATH}/domains/[domain]/remove`,
  load: ({ ctx, realm }: AdminRequest) => {
    const { domains, emails_restricted_to_domains } = realm.settings;
    const found = domains.find(({ domain }) => domain === ctx.params["domain"]);
    // Without a domain, an organization that restricts accounts to its domains is open to all addresses.
    const opensJoining = domains.length === 1 && emails_restricted_to_domains;
    return Promise.resolve(found === undefined ? null : { name: found.domain, opensJoining });
  },
  title: ({ name }, t) => t("Remove {name}?", { name }),
  above: (_, t) => [{ path: PATH, name: t("Organization") }],
  shows: { realm_domains: ofSubject },
  action: "remove",
  button: "Remove domain",
  view: ({ data: { opensJoining } }) => {
    const { t } = useAdmin();
    return opensJoining
      ? <p class="font-medium text-accent">{t(texts.removeLast)}</p>
      : <p>{t(texts.remove)}</p>;
  },
  run: async ({ chat, caller, t }, { name }) => {
    await removeDomain(chat, caller, name);
    return { flash: t("Domain {name} removed.", { name }), to: DOMAINS };
  },
});
