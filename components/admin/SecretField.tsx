import type { ComponentChildren } from "preact";
import CopyText from "@/islands/admin/stats/CopyText.tsx";
import { TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "./admin_view.ts";
import { FieldFrame, getAriaAttributes } from "./FieldFrame.tsx";

interface SecretFieldProps {
  /** Id of the field, unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  /** Label of the button that copies the value; without it, there is none. */
  readonly copy?: string | undefined;
  /** Content beside the button. */
  readonly children?: ComponentChildren;
}

/** Renders a secret that was asked for, or another text to copy, in a read-only field. */
export function SecretField({ id, label, value, hint, copy, children }: SecretFieldProps) {
  const { t } = useAdmin();
  const notes = { id, hint, problem: undefined };
  return (
    <>
      <div class="max-w-[40rem]">
        <FieldFrame {...notes} label={label}>
          <input
            {...getAriaAttributes(notes)}
            readOnly
            autoComplete="off"
            spellcheck={false}
            value={value}
            class={`${TEXT_FIELD} font-mono text-small`}
          />
        </FieldFrame>
      </div>
      {copy !== undefined && (
        <div class="flex flex-wrap items-center gap-x-5 gap-y-2">
          <CopyText text={value} label={copy} done={t("Copied.")} />
          {children}
        </div>
      )}
    </>
  );
}
