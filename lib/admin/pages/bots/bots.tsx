import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { useRefusedForm } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { SecretField } from "@/components/admin/SecretField.tsx";
import { Link } from "@/components/Link.tsx";
import { createBot, getBotKey, regenerateBotKey } from "@/lib/chat/people/bots/manage_bots.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { isBot, isOwner } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { API_KEY_FILE_NAME, toApiKeyFileUrl } from "@/lib/ui/client_programs.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { record, text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { describeKeyUse } from "./bot_details.tsx";

const texts = {
  rotateText: "Rotating creates and shows a new key. The current key stops working immediately.",
  othersText: "Only the bot’s owner can see the current key. You can replace it with a new one.",
  shownOnce: "The key is not shown again when you leave this page.",
  downloadText: "The file contains the address of the organization, the bot’s email address and its key.",
};

const LIST = "/admin/users?tab=bots";

const create = form({
  action: "create",
  button: "Create bot",
  fields: {
    full_name: text({ label: "Full name", isExact: true, keepsBlanks: true }),
    short_name: text({
      label: "User name",
      hint: "Letters, digits and . _ % + -. The bot’s email address starts with it, followed by -bot.",
      isMono: true,
      isExact: true,
      keepsBlanks: true,
    }),
    bot_type: record({
      label: "Type",
      hint:
        "Generic bots use the whole API. Incoming webhook bots only post messages through their webhook URL. " +
        "Messages that mention an outgoing webhook bot are posted to an address.",
      missing: "Choose a type.",
    }),
    payload_url: text({
      label: "Address to post messages to",
      hint: "A public address that begins with https://.",
      type: "url",
      isExact: true,
    }),
  },
  run: async ({ chat, caller, t }, { payload_url, ...values }) => {
    const { id, full_name } = await createBot(chat, caller, {
      ...values,
      payload_url: payload_url === "" ? undefined : payload_url,
    });
    return values.bot_type === 1
      ? {
        flash: t("Bot {name} created. Its API key is one step away.", { name: full_name }),
        to: `/admin/bots/${id}/key`,
      }
      : { flash: t("Bot {name} created.", { name: full_name }), to: `/admin/bots/${id}/webhook` };
  },
});

export const newBotPage = adminPage({
  path: "/admin/bots/new",
  find: { words: "add new integration incoming outgoing webhook" },
  title: "Create bot",
  lede: "A bot is a user for a program. You are its owner, and can give it another owner later.",
  above: (_, __, { users }) => [{ path: LIST, name: users.bots }],
  load: () => Promise.resolve({}),
  forms: [create],
  view: () => {
    const { t, messages } = useTexts(texts);
    const names: Readonly<Record<number, string>> = messages.users.botKinds;
    return (
      <Panel title={t("Create bot")}>
        <Form
          of={create}
          stored={{ bot_type: 1 }}
          options={{ bot_type: [1, 2, 3].map((id) => ({ id, name: names[id] ?? "" })) }}
          beside={<CancelLink to={LIST} />}
        >
          {({ full_name, short_name, bot_type, payload_url }) => (
            <div class="group/kind grid max-w-[28rem] gap-4">
              {full_name}
              {short_name}
              {bot_type}
              <div class="hidden group-has-[option[value='3']:checked]/kind:block">{payload_url}</div>
            </div>
          )}
        </Form>
      </Panel>
    );
  },
});

async function loadBotKey(request: AdminRequest) {
  const { chat, realm, user } = request;
  const bot = await readUser(chat, realm.id, pathId(request));
  if (bot === null || !isBot(bot) || !bot.is_active || bot.is_system_bot === true) return null;
  const isOwn = bot.bot_owner_id === user.id;
  return {
    ...{ id: bot.id, name: bot.full_name, email: bot.delivery_email },
    /** Whether the viewer owns the bot and may see its current key. */
    isOwn,
    /** Public address of the organization. */
    site: realmUrl(chat, realm),
    mayRotate: isOwn || isOwner(user) || !isOwner(bot),
    keyUse: await describeKeyUse(request, bot),
  };
}

/** Shows the key of a bot in the answer to the form alone. */
export const showKey = form({
  action: "show",
  button: "Show API key",
  run: async ({ chat, caller, ctx }) => {
    const { api_key } = await getBotKey(chat, caller, pathId({ ctx }));
    return { flash: "", isDraft: true, result: { key: api_key } };
  },
});

const rotateKey = form({
  action: "rotate",
  button: "Rotate API key",
  run: async ({ chat, caller, ctx }) => {
    const { api_key } = await regenerateBotKey(chat, caller, pathId({ ctx }));
    return { flash: "", isDraft: true, result: { key: api_key, isNew: true } };
  },
});

/** The page that shows and rotates a bot's API key, which is rendered only in the answer to the form. */
export const botKeyPage = adminPage({
  path: "/admin/bots/[id]/key",
  load: loadBotKey,
  title: ({ name }, t) => t("API key of {name}", { name }),
  lede: "A program with this key can do everything that the bot can. Keep it secret, like a password.",
  above: ({ id, name }, _, { users }) => [
    { path: LIST, name: users.bots },
    { path: `/admin/users/${id}`, name },
  ],
  forms: [showKey, rotateKey],
  view: ({ data }) => {
    const { t, text } = useTexts(texts);
    const result = useRefusedForm()?.result;
    const key = result?.["key"];
    if (typeof key === "string") {
      return <ShownKey data={data} apiKey={key} isNew={result?.["isNew"] === true} />;
    }
    return (
      <>
        <p class="mb-5 text-soft">{data.keyUse}</p>
        {data.isOwn && (
          <div class="mb-7">
            <Form of={showKey} />
          </div>
        )}
        {data.mayRotate && (
          <section class="grid max-w-[58ch] gap-3">
            <p>{data.isOwn ? text.rotateText : `${text.othersText} ${text.rotateText}`}</p>
            {data.isOwn
              ? <ActionButton action="rotate" fields={{}}>{t("Rotate API key")}</ActionButton>
              : <Form of={rotateKey} />}
          </section>
        )}
      </>
    );
  },
});

interface ShownKeyProps {
  readonly data: NonNullable<Awaited<ReturnType<typeof loadBotKey>>>;
  readonly apiKey: string;
  readonly isNew: boolean;
}

function ShownKey({ data, apiKey, isNew }: ShownKeyProps) {
  const { t, text } = useTexts(texts);
  const { email, site } = data;
  return (
    <Panel title={t("API key")}>
      <p role="status">
        {isNew
          ? `${t("This is the new key. The old key no longer works.")} ${text.shownOnce}`
          : text.shownOnce}
      </p>
      <SecretField id="api_key" label={t("API key")} value={apiKey} copy={t("Copy")}>
        <Link
          class="link inline-flex min-h-11 items-center"
          href={toApiKeyFileUrl({ email, key: apiKey, site })}
          download={API_KEY_FILE_NAME}
        >
          {t("Download configuration file")}
        </Link>
      </SecretField>
      <p class="text-small text-soft">{text.downloadText}</p>
    </Panel>
  );
}
