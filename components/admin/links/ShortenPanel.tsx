import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";

/** A form that was refused, and the maximum length of a URL in characters. */
export interface ShortenPanelProps {
  readonly refused: RefusedForm | null;
  readonly limit: number;
}

/** Renders the form that shortens a URL. */
export function ShortenPanel({ refused, limit }: ShortenPanelProps) {
  const { messages: { links: text }, formatter } = useAdmin();
  const state = formState(refused, "shorten");
  return (
    <Panel title={text.createTitle}>
      <AdminForm state={state} button={text.shorten}>
        <TextInput
          state={state}
          name="url"
          type="url"
          label={text.longUrl}
          placeholder="https://"
          hint={formatter.t(text.longUrlHint, { count: limit })}
        />
      </AdminForm>
    </Panel>
  );
}
