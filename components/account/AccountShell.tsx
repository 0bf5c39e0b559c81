import type { ComponentChildren } from "preact";
import type { AccountData } from "@/lib/pages/account_page.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { OrganizationIcon } from "../OrganizationIcon.tsx";
import { PageFrame } from "../PageFrame.tsx";
import { type FieldSpec, FormFields } from "./FormFields.tsx";

interface AccountShellProps extends Pick<AccountData, "organization" | "icon" | "adminPath"> {
  /** Page name, shown in the browser tab before the product's name. */
  readonly title: string;
  readonly current: "/account" | "/connect";
  readonly userName: string;
  readonly children: ComponentChildren;
}

const ACCOUNT = { path: "/account", name: "Account" };
const CONNECT = { path: "/connect", name: "Connect an app" };

/**
 * Renders the frame of an account page: who is signed in to which organization, the sign-out button and the
 * content.
 */
export function AccountShell(
  { title, current, userName, organization, icon, adminPath, children }: AccountShellProps,
) {
  return (
    <PageFrame
      title={title}
      links={[
        ACCOUNT,
        CONNECT,
        ...(adminPath === null ? [] : [{ path: adminPath, name: "Administration" }]),
      ]}
      current={current}
      beside={
        <p class="mr-auto flex min-w-0 items-center gap-2 text-small text-soft">
          <OrganizationIcon icon={icon} alt={`Icon of ${organization}`} size={24} />
          <span class="min-w-0">{userName} at {organization}</span>
        </p>
      }
      actions={
        <form method="post" action="/logout">
          <button type="submit" class="min-h-11 cursor-pointer px-2 text-soft hover:text-ink">
            Sign out
          </button>
        </form>
      }
    >
      {children}
    </PageFrame>
  );
}

interface AccountSectionProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** Purpose of the section and the effects of a change. */
  readonly text: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Renders a section of an account page: title and purpose, with the controls beside them. */
export function AccountSection({ id, title, text, children }: AccountSectionProps) {
  return (
    <section
      aria-labelledby={`${id}-title`}
      class="grid gap-x-12 gap-y-5 border-t border-rule py-8 md:grid-cols-[15rem_minmax(0,1fr)] md:py-10"
    >
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        <p class="mt-2 max-w-[52ch] text-small text-soft">{text}</p>
      </div>
      <div class="max-w-[30rem] min-w-0">{children}</div>
    </section>
  );
}

interface AccountFormProps {
  /** Action that the form performs; sent as `action`. */
  readonly action: string;
  readonly fields: readonly FieldSpec[];
  readonly values?: Readonly<Record<string, string>>;
  /** Problems of all forms on the page; those of other forms are ignored. */
  readonly problems: AccountData["problems"];
  /** Button label, which names the effect. */
  readonly button: string;
  /** Content besides the fields. */
  readonly children?: ComponentChildren;
}

/** Renders one form of the account page. */
export function AccountForm({ action, fields, values = {}, problems, button, children }: AccountFormProps) {
  const names = fields.map(({ name }) => name);
  const own = Object.fromEntries(Object.entries(problems).filter(([name]) => names.includes(name)));
  return (
    <form method="post" action="/account" noValidate class="grid gap-5">
      {children}
      <FormFields fields={fields} values={values} problems={own} />
      <div>
        <button type="submit" name="action" value={action} class={QUIET_BUTTON}>{button}</button>
      </div>
    </form>
  );
}
