import type { ComponentChildren } from "preact";
import CopyText from "@/islands/admin/stats/CopyText.tsx";
import { FIELD_LABEL, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "./admin_view.ts";

interface SecretFieldProps {
  /** Id of the field, unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Label of the button that copies the value. */
  readonly copy: string;
  /** Content beside the button. */
  readonly children?: ComponentChildren;
}

/** Renders a secret that was asked for in a read-only field, with a button that copies it. */
export function SecretField({ id, label, value, copy, children }: SecretFieldProps) {
  const { t } = useAdmin();
  return (
    <>
      <div class="grid max-w-[40rem] gap-y-1.5">
        <label for={id} class={FIELD_LABEL}>{label}</label>
        <input
          id={id}
          readOnly
          autoComplete="off"
          spellcheck={false}
          value={value}
          class={`${TEXT_FIELD} font-mono text-small`}
        />
      </div>
      <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
        <CopyText text={value} label={copy} done={t("Copied.")} />
        {children}
      </div>
    </>
  );
}
