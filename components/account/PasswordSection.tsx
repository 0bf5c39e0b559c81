import { AccountForm } from "./ApiKeySection.tsx";
import { AccountSection } from "./AccountSection.tsx";
import type { FieldSpec, FormProblems } from "./FormFields.tsx";

/** Fields of the password section. */
export const PASSWORD_FIELDS: readonly FieldSpec[] = [
  {
    name: "old_password",
    label: "Current password",
    type: "password",
    autocomplete: "current-password",
  },
  {
    name: "new_password",
    label: "New password",
    type: "password",
    autocomplete: "new-password",
    hint: "At least 8 characters. Avoid common passwords.",
  },
];

/** Renders the section that changes the password. */
export function PasswordSection({ email, problems }: { email: string; problems: FormProblems }) {
  return (
    <AccountSection
      id="password"
      title="Password"
      text="Changing your password signs you out everywhere except in this browser."
    >
      <AccountForm
        action="password"
        fields={PASSWORD_FIELDS}
        problems={problems}
        button="Change password"
      >
        {/* Password managers store the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      </AccountForm>
    </AccountSection>
  );
}
