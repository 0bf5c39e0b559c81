import { AccountForm } from "./AccountForm.tsx";
import { AccountSection } from "./AccountSection.tsx";
import type { FieldSpec } from "./FormField.tsx";
import type { FormProblems } from "./FormFields.tsx";

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
    hint: "At least 8 characters.",
  },
];

/** Renders the section that changes the password. */
export function PasswordSection({ email, problems }: { email: string; problems: FormProblems }) {
  return (
    <AccountSection
      id="password"
      title="Password"
      text="Changing it ends all your other sessions; this one stays."
    >
      <AccountForm
        action="password"
        fields={PASSWORD_FIELDS}
        problems={problems}
        button="Change the password"
      >
        {/* Password managers store the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      </AccountForm>
    </AccountSection>
  );
}
