import DetectTimeZone from "@/islands/account/DetectTimeZone.tsx";
import type { Role } from "@/lib/chat/organization/users/model.ts";
import type { AccountData } from "@/lib/pages/account_page.ts";
import { FIELD_LABEL, QUIET_BUTTON, TEXT_FIELD, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { THEME_NAMES } from "@/lib/ui/themes.ts";
import { PageTitle } from "../PageFrame.tsx";
import { ThemeButtons } from "../ThemeButtons.tsx";
import { AccountForm, AccountSection, AccountShell } from "./AccountShell.tsx";
import { API_KEY_FIELDS, ApiKeySection } from "./ApiKeySection.tsx";
import { type FieldSpec, FormNotice, getFormProblem, NEW_PASSWORD } from "./FormFields.tsx";

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  100: "an owner",
  200: "an administrator",
  300: "a moderator",
  400: "a member",
  600: "a guest",
};

const NAME_FIELDS: readonly FieldSpec[] = [{ name: "full_name", label: "Full name", autocomplete: "name" }];
const EMAIL_FIELDS: readonly FieldSpec[] = [
  { name: "email", label: "New email address", type: "email", autocomplete: "email" },
  { name: "current_password", label: "Your password", type: "password", autocomplete: "current-password" },
];
const PASSWORD_FIELDS: readonly FieldSpec[] = [
  { name: "old_password", label: "Current password", type: "password", autocomplete: "current-password" },
  NEW_PASSWORD,
];

/** Renders the user's account page: name, address, password, API key and sessions, one form each. */
export function AccountPage(props: AccountData) {
  const { organization, user, apiKey, problems } = props;
  return (
    <AccountShell
      title={titleOf(props)}
      current="/account"
      userName={user.fullName}
      organization={organization}
      icon={props.icon}
      adminPath={props.adminPath}
    >
      <PageTitle title="Your account">
        Manage your profile, sign-in and sessions. You are {ROLE_WORDS[user.role]} of {organization}.
      </PageTitle>
      <Outcome {...props} />
      <div class="mt-9">
        <NameSection {...props} />
        <EmailSection {...props} />
        <PasswordSection {...props} />
        <ApiKeySection {...apiKey} action="/account" problems={problems} />
        <SessionsSection {...props} />
        <TimeZoneSection {...props} />
        <ThemeSection {...props} />
      </div>
    </AccountShell>
  );
}

/** Returns the page title. Screen readers announce it first, so it mentions a refused form. */
function titleOf({ notice, problems }: AccountData): string {
  const isRefused = notice?.kind === "problem" || Object.keys(problems).length > 0;
  return isRefused ? "Not saved" : "Your account";
}

/** Renders the result of the submitted form; takes the focus unless a field does. */
function Outcome({ notice, problems, apiKey, canChangeName, canChangeEmail, hasMail }: AccountData) {
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

function NameSection({ user: { fullName }, typed, canChangeName, problems }: AccountData) {
  const text = canChangeName
    ? "All users of the organization see this name."
    : "Only administrators can change your name.";
  return (
    <AccountSection id="name" title="Name" text={text}>
      {canChangeName
        ? (
          <AccountForm
            action="name"
            fields={NAME_FIELDS}
            values={{ full_name: fullName, ...typed }}
            problems={problems}
            button="Save name"
          />
        )
        : <p class="font-strong break-words">{fullName}</p>}
    </AccountSection>
  );
}

/** Renders the section for the sign-in address; a new one takes effect once its owner confirms it by the link sent to it. */
function EmailSection(
  { user: { email, pendingEmail }, typed, canChangeEmail, hasMail, problems }: AccountData,
) {
  if (!canChangeEmail || !hasMail) {
    return (
      <AccountSection
        id="email"
        title="Email address"
        text={canChangeEmail
          ? "You sign in with this address. This server sends no email to confirm a new one; ask an administrator to change it."
          : "You sign in with this address. Only administrators can change it."}
      >
        <p class="font-strong break-words">{email}</p>
      </AccountSection>
    );
  }
  return (
    <AccountSection
      id="email"
      title="Email address"
      text="You sign in with this address. To change it, open the confirmation link that we send to the new address."
    >
      <p class="mb-5 break-words">
        <span class="font-strong">{email}</span>
        {pendingEmail !== null && (
          <span class="block text-small text-soft">
            Waiting for confirmation: <span class="text-ink">{pendingEmail}</span>
          </span>
        )}
      </p>
      <AccountForm
        action="email"
        fields={EMAIL_FIELDS}
        values={typed}
        problems={problems}
        button="Send confirmation link"
      />
    </AccountSection>
  );
}

function PasswordSection({ user: { email }, problems }: AccountData) {
  return (
    <AccountSection
      id="password"
      title="Password"
      text="Changing your password signs you out everywhere except in this browser."
    >
      <AccountForm action="password" fields={PASSWORD_FIELDS} problems={problems} button="Change password">
        {/* Password managers store the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      </AccountForm>
    </AccountSection>
  );
}

function SessionsSection({ sessions }: AccountData) {
  return (
    <AccountSection
      id="sessions"
      title="Sessions"
      text="Devices where you are signed in. If you do not recognize one, sign it out and change your password."
    >
      <ul class="-mt-3 divide-y divide-rule border-b border-rule">
        {sessions.map((session) => <Session key={session.id} {...session} />)}
      </ul>
      <form method="post" action="/account" class="mt-5">
        <button
          type="submit"
          name="action"
          value="end_sessions"
          aria-describedby="end-sessions-hint"
          class={QUIET_BUTTON}
        >
          Sign out everywhere
        </button>
        <p id="end-sessions-hint" class="mt-2 text-small text-soft">
          Including this browser. Your API key keeps working.
        </p>
      </form>
    </AccountSection>
  );
}

function Session({ id, createdAt, lastUsedAt, device, isCurrent }: AccountData["sessions"][number]) {
  return (
    <li class="flex min-h-11 items-center justify-between gap-x-5 py-3">
      <div class="min-w-0">
        <p class="font-strong break-words">{device}</p>
        <p class="text-small text-soft">Signed in {createdAt}, last used {lastUsedAt}</p>
      </div>
      {isCurrent
        ? <p class="shrink-0 rounded-small bg-wash px-2 py-1 text-small forced-colors:border">This browser</p>
        : (
          <form method="post" action="/account" class="shrink-0">
            <input type="hidden" name="session_id" value={id} />
            <button type="submit" name="action" value="end_session" class={WORD_BUTTON}>
              Sign out <span class="sr-only">{device}</span>
            </button>
          </form>
        )}
    </li>
  );
}

function TimeZoneSection({ timeZone, timeZones }: AccountData) {
  return (
    <AccountSection
      id="time-zone"
      title="Time zone"
      text="Dates and times on these pages use this time zone."
    >
      <form method="post" action="/account" class="grid gap-5">
        <div class="grid gap-y-1.5">
          <label for="timezone" class={FIELD_LABEL}>Time zone</label>
          <select id="timezone" name="timezone" class={TEXT_FIELD}>
            <option value="" selected={timeZone === ""}>UTC</option>
            {timeZones.map((zone) => (
              <option key={zone} value={zone} selected={zone === timeZone}>
                {zone.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        </div>
        <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
          <button type="submit" name="action" value="timezone" class={QUIET_BUTTON}>Save time zone</button>
          <DetectTimeZone fieldId="timezone" />
        </div>
      </form>
    </AccountSection>
  );
}

/** Renders the section that sets the color scheme of the whole site in this browser. */
function ThemeSection({ theme }: AccountData) {
  return (
    <AccountSection id="theme" title="Theme" text="Applies to all pages of this site in this browser.">
      <form method="post" action="/account">
        <input type="hidden" name="action" value="theme" />
        <div role="group" aria-labelledby="theme-title" class="flex flex-wrap gap-3">
          <ThemeButtons
            theme={theme}
            names={THEME_NAMES}
            class={`${QUIET_BUTTON} aria-pressed:border-ink aria-pressed:bg-wash`}
          />
        </div>
      </form>
    </AccountSection>
  );
}
