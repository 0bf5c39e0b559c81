import { AccountForm } from "./ApiKeySection.tsx";
import { AccountSection } from "./AccountSection.tsx";
import type { FieldSpec, FormProblems } from "./FormFields.tsx";

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
      <AccountSection id="name" title="Name" text="Only administrators can change your name.">
        <p class="font-strong break-words">{fullName}</p>
      </AccountSection>
    );
  }
  return (
    <AccountSection id="name" title="Name" text="All users of the organization see this name.">
      <AccountForm
        action="name"
        fields={NAME_FIELDS}
        values={{ full_name: fullName, ...typed }}
        problems={problems}
        button="Save name"
      />
    </AccountSection>
  );
}
