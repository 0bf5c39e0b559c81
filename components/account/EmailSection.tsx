import { AccountForm } from "./AccountForm.tsx";
import { AccountSection } from "./AccountSection.tsx";
import type { FieldSpec } from "./FormField.tsx";
import type { FormProblems } from "./FormFields.tsx";

interface EmailSectionProps {
  readonly email: string;
  /** Requested address that is not confirmed yet, or null. */
  readonly pendingEmail: string | null;
  readonly typed: Readonly<Record<string, string>>;
  readonly canChange: boolean;
  readonly problems: FormProblems;
}

/** Fields of the email section. */
export const EMAIL_FIELDS: readonly FieldSpec[] = [
  { name: "email", label: "New address", type: "email", autocomplete: "email" },
  { name: "current_password", label: "Your password", type: "password", autocomplete: "current-password" },
];

/**
 * Renders the section for the sign-in address; a new one takes effect once its owner confirms it by the link
 * sent to it.
 */
export function EmailSection({ email, pendingEmail, typed, canChange, problems }: EmailSectionProps) {
  if (!canChange) {
    return (
      <AccountSection
        id="email"
        title="E-mail address"
        text="You sign in with it. In this organization, only administrators change addresses."
      >
        <p class="font-strong break-words">{email}</p>
      </AccountSection>
    );
  }
  return (
    <AccountSection
      id="email"
      title="E-mail address"
      text="You sign in with it. A link is sent to the new address, and yours changes when you confirm it there."
    >
      <p class="mb-5 break-words">
        <span class="font-strong">{email}</span>
        {pendingEmail !== null && (
          <span class="block text-small text-soft">
            Becomes <span class="text-ink">{pendingEmail}</span> when you confirm it by the link sent there.
          </span>
        )}
      </p>
      <AccountForm
        action="email"
        fields={EMAIL_FIELDS}
        values={typed}
        problems={problems}
        button="Send the link"
      />
    </AccountSection>
  );
}
