import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { TextInput } from "@/components/admin/fields.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import type { AppError } from "@/lib/core/errors.ts";
import { storeLink } from "@/lib/links/actions.ts";
import { findUrlProblem } from "@/lib/links/params.ts";
import { trim } from "es-toolkit/string/trim";
import { type AdminAction, FormRefusal } from "../../admin_page.ts";
import { useTexts } from "../../declare/texts.ts";
import { linkActorOf } from "./shown_link.tsx";

const texts = {
  createTitle: "Shorten a URL",
  longUrl: "Long URL",
  longUrlHint: "Any absolute URL of up to {count} characters.",
  shorten: "Shorten",
  made: "Short link created.",
};

/** Declares the form that shortens a URL and redirects to the page that `toPath` returns for its id. */
export function shortenForm(toPath: (short: string) => string): AdminAction & { readonly action: string } {
  return {
    action: "shorten",
    // A blocked host concerns the URL; other refusals concern the server.
    fieldOf: ({ code }: AppError) => code === "UNPROCESSABLE" ? "url" : null,
    async run(request, fields) {
      const { services: { links }, t } = request;
      const url = trim(fields.exact("url"), [" ", "\t", "\r", "\n"]);
      const problem = findUrlProblem(url);
      if (problem !== null) throw new FormRefusal({ url: problem });
      const { creator } = linkActorOf(request);
      const { short } = await storeLink(links, url, creator === null ? {} : { creator });
      return { flash: t(texts.made), to: toPath(short) };
    },
  };
}

/** Renders the form that shortens a URL. */
export function ShortenPanel({ limit }: { limit: number }) {
  const { text, t } = useTexts(texts);
  const state = useFormState({ action: "shorten" });
  return (
    <Panel title={text.createTitle}>
      <AdminForm state={state} button={text.shorten}>
        <TextInput
          state={state}
          name="url"
          type="url"
          label={text.longUrl}
          placeholder="https://"
          hint={t(text.longUrlHint, { count: limit })}
        />
      </AdminForm>
    </Panel>
  );
}
