import type { ComponentChildren } from "preact";
import RevealPassword from "@/islands/account/RevealPassword.tsx";

interface FieldRowProps {
  /** Id of the field. */
  readonly id: string;
  readonly label: string;
  /** Text of a button that shows a password; undefined for other fields. */
  readonly showText: string | undefined;
  /** The field. */
  readonly children: ComponentChildren;
}

/** Renders a field, beside a button that shows it if it is a password. */
export function FieldRow({ id, label, showText, children }: FieldRowProps) {
  if (showText === undefined) return <>{children}</>;
  return (
    <div class="flex gap-2">
      {children}
      <RevealPassword fieldId={id} label={label} showText={showText} />
    </div>
  );
}
