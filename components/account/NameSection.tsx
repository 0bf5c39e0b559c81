import { AccountForm } from "./AccountForm.tsx";
import { AccountSection } from "./AccountSection.tsx";
import type { FieldSpec } from "./FormField.tsx";
import type { FormProblems } from "./FormFields.tsx";

interface NameSectionProps {
  readonly fullName: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly canChange: boolean;
  readonly problems: FormProblems;
}

/** Fields of the name section. */
export const NAME_FIELDS: readonly FieldSpec[] = [
  { name: "full_name", label: "Full name", autocomplete: "name" },
];

/** Renders the section for the user's full name. */
export function NameSection({ fullName, typed, canChange, problems }: NameSectionProps) {
  if (!canChange) {
    return (
      <AccountSection id="name" title="Name" text="In this organization, only administrators change names.">
        <p class="font-strong break-words">{fullName}</p>
      </AccountSection>
    );
  }
  return (
    <AccountSection id="name" title="Name" text="Everybody in the organization sees it.">
      <AccountForm
        action="name"
        fields={NAME_FIELDS}
        values={{ full_name: fullName, ...typed }}
        problems={problems}
        button="Change the name"
      />
    </AccountSection>
  );
}
