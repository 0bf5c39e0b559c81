import { AccountForm } from "./ApiKeySection.tsx";
import { AccountSection } from "./AccountSection.tsx";
import type { FieldSpec, FormProblems } from "./FormFields.tsx";

interface EmailSectionProps {
  readonly email: string;
  /** Requested address that is not confirmed yet, or null. */
  readonly pendingEmail: string | null;
  readonly typed: Readonly<Record<string, string>>;
  readonly canChange: boolean;
  /** Whether the server delivers email, by which a new address is confirmed. */
  readonly hasMail: boolean;
  readonly problems: FormProblems;
}

/** Fields of the email section. */
export const EMAIL_FIELDS: readonly FieldSpec[] = [
  { name: "email", label: "New email address", type: "email", autocomplete: "email" },
  { name: "current_password", label: "Your password", type: "password", autocomplete: "current-password" },
];

/**
 * Renders the section for the sign-in address; a new one takes effect once its owner confirms it by the link
 * sent to it.
 */
export function EmailSection(
  { email, pendingEmail, typed, canChange, hasMail, problems }: EmailSectionProps,
) {
  if (!canChange || !hasMail) {
    return (
      <AccountSection
        id="email"
        title="Email address"
        text={canChange
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
