import type { AdminPageData, RefusedForm } from "@/lib/admin/admin_page.ts";
import type { BotKeyData } from "@/lib/admin/bots/bot_pages.ts";
import { API_KEY_FILE_NAME, toApiKeyFileUrl } from "@/lib/ui/api_key_file.ts";
import { Link } from "../../Link.tsx";
import { ActionButton } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { SecretField } from "../SecretField.tsx";

/** Renders a bot's API key after it was asked for, or the forms that show and rotate it. */
export function BotKeyPage({ data, refused }: AdminPageData<BotKeyData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.bots;
  const shown = readShownKey(refused);
  return (
    <>
      <AdminHeading
        title={formatter.t(text.keyTitle, { name: data.name })}
        above={[
          { path: "/admin/users?tab=bots", name: messages.users.bots },
          { path: `/admin/users/${data.id}`, name: data.name },
        ]}
        lede={text.keyLede}
      />
      {shown === null && <p class="mb-5 text-soft">{data.keyUse}</p>}
      {shown !== null && <ShownKey data={data} apiKey={shown.key} isNew={shown.isNew} />}
      {shown === null && data.isOwn && (
        <div class="mb-7">
          <AdminForm state={formState(refused, "show")} button={text.showKey} />
        </div>
      )}
      {shown === null && data.mayRotate && (
        <section class="grid max-w-[58ch] gap-3">
          <p>{data.isOwn ? text.rotateText : `${text.othersText} ${text.rotateText}`}</p>
          {data.isOwn
            ? <ActionButton action="rotate" fields={{}}>{text.rotate}</ActionButton>
            : <AdminForm state={formState(refused, "rotate")} button={text.rotate} />}
        </section>
      )}
    </>
  );
}

function readShownKey(refused: RefusedForm | null): { key: string; isNew: boolean } | null {
  const key = refused?.result?.["key"];
  return typeof key === "string" ? { key, isNew: refused?.result?.["isNew"] === true } : null;
}

function ShownKey({ data, apiKey, isNew }: { data: BotKeyData; apiKey: string; isNew: boolean }) {
  const { messages } = useAdmin();
  const text = messages.bots;
  const { email, site } = data;
  return (
    <Panel title={text.key}>
      <p role="status">{isNew ? `${text.rotated} ${text.shownOnce}` : text.shownOnce}</p>
      <SecretField id="api_key" label={text.key} value={apiKey} copy={text.copyKey}>
        <Link
          class="link inline-flex min-h-11 items-center"
          href={toApiKeyFileUrl({ email, key: apiKey, site })}
          download={API_KEY_FILE_NAME}
        >
          {text.downloadFile}
        </Link>
      </SecretField>
      <p class="text-small text-soft">{text.downloadText}</p>
    </Panel>
  );
}
