import type { Role } from "@/lib/chat/organization/users/model.ts";
import type { Theme } from "@/lib/ui/themes.ts";
import { PageTitle } from "../PageFrame.tsx";
import { AccountShell } from "./AccountShell.tsx";
import { API_KEY_FIELDS, ApiKeySection } from "./ApiKeySection.tsx";
import { EMAIL_FIELDS, EmailSection } from "./EmailSection.tsx";
import { FormNotice, type FormProblems, getFormProblem } from "./FormFields.tsx";
import { NAME_FIELDS, NameSection } from "./NameSection.tsx";
import { PASSWORD_FIELDS, PasswordSection } from "./PasswordSection.tsx";
import { type AccountSession, SessionsSection } from "./SessionsSection.tsx";
import { ThemeSection } from "./ThemeSection.tsx";
import { TimeZoneSection } from "./TimeZoneSection.tsx";

/** Data that the account page shows. */
export interface AccountPageProps {
  /** Name of the organization. */
  readonly organization: string;
  /** First admin page that the user may open; null for none. */
  readonly adminPath: string | null;
  readonly user: {
    readonly fullName: string;
    readonly email: string;
    readonly role: Role;
    /** Requested address that is not confirmed yet, or null. */
    readonly pendingEmail: string | null;
  };
  readonly apiKey: {
    /** The API key right after it was requested; else null. */
    readonly shown: string | null;
    /** Day of UTC on which it was last used, or null. */
    readonly lastUsed: string | null;
  };
  readonly sessions: readonly AccountSession[];
  /** Result of the last change, or null. */
  readonly notice: { readonly kind: "good" | "problem"; readonly text: string } | null;
  /** Problems of a refused form by field name; those under any other name appear at the top of the page. */
  readonly problems: FormProblems;
  /** Values of a refused form by field name; never a password. */
  readonly typed?: Readonly<Record<string, string>>;
  readonly canChangeName: boolean;
  readonly canChangeEmail: boolean;
  /** Whether the server delivers email. */
  readonly hasMail: boolean;
  /** Color scheme chosen in this browser. */
  readonly theme: Theme;
  /** IANA name; empty for UTC. */
  readonly timeZone: string;
  readonly timeZones: readonly string[];
}

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  100: "an owner",
  200: "an administrator",
  300: "a moderator",
  400: "a member",
  600: "a guest",
};

/** Renders the user's account page: name, address, password, API key and sessions, one form each. */
export function AccountPage(props: AccountPageProps) {
  const { organization, user, apiKey, sessions, problems, typed = {} } = props;
  return (
    <AccountShell
      title={titleOf(props)}
      current="/account"
      userName={user.fullName}
      organization={organization}
      adminPath={props.adminPath}
    >
      <PageTitle title="Your account">
        Manage your profile, sign-in and sessions. You are {ROLE_WORDS[user.role]} of {organization}.
      </PageTitle>
      <Outcome {...props} />
      <div class="mt-9">
        <NameSection
          fullName={user.fullName}
          typed={typed}
          canChange={props.canChangeName}
          problems={problems}
        />
        <EmailSection
          {...user}
          typed={typed}
          canChange={props.canChangeEmail}
          hasMail={props.hasMail}
          problems={problems}
        />
        <PasswordSection email={user.email} problems={problems} />
        <ApiKeySection {...apiKey} action="/account" problems={problems} />
        <SessionsSection sessions={sessions} />
        <TimeZoneSection timeZone={props.timeZone} timeZones={props.timeZones} />
        <ThemeSection theme={props.theme} />
      </div>
    </AccountShell>
  );
}

/** Returns the page title. Screen readers announce it first, so it mentions a refused form. */
function titleOf({ notice, problems }: AccountPageProps): string {
  const isRefused = notice?.kind === "problem" || Object.keys(problems).length > 0;
  return isRefused ? "Not saved" : "Your account";
}

/** Renders the result of the submitted form; takes the focus unless a field does. */
function Outcome({ notice, problems, apiKey, canChangeName, canChangeEmail, hasMail }: AccountPageProps) {
  const fields = [
    ...(canChangeName ? NAME_FIELDS : []),
    ...(canChangeEmail && hasMail ? EMAIL_FIELDS : []),
    ...PASSWORD_FIELDS,
    ...API_KEY_FIELDS,
  ];
  const general = getFormProblem(problems, fields);
  const hasFocus = apiKey.shown === null && fields.every(({ name }) => problems[name] === undefined);
  return (
    <div class="mt-6 grid gap-2 empty:hidden">
      {notice !== null && <FormNotice {...notice} takesFocus={hasFocus && general === null} />}
      {general !== null && <FormNotice kind="problem" text={general} takesFocus={hasFocus} />}
    </div>
  );
}
