import type { ComponentChildren } from "preact";
import RevealPassword from "@/islands/account/RevealPassword.tsx";

interface FieldRowProps {
  /** Id of the field. */
  readonly id: string;
  readonly label: string;
  readonly isPassword: boolean;
  /** The field. */
  readonly children: ComponentChildren;
}

/** Renders a field, beside a button that shows it if it is a password. */
export function FieldRow({ id, label, isPassword, children }: FieldRowProps) {
  if (!isPassword) return <>{children}</>;
  return (
    <div class="flex gap-2">
      {children}
      <RevealPassword fieldId={id} label={label} />
    </div>
  );
}
