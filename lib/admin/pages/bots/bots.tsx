import { BOT_KINDS } from "@/lib/ui/texts.ts";
import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { useDraft } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { SecretField } from "@/components/admin/SecretField.tsx";
import { Link } from "@/components/Link.tsx";
import { createBot, getBotKey, regenerateBotKey } from "@/lib/chat/people/bots/manage_bots.ts";
import { realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { canManageUser, isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { Translate } from "@/lib/ui/translate.ts";
import { API_KEY_FILE_NAME, toApiKeyFileUrl } from "@/lib/ui/client_programs.ts";
import { record, text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { getNamed } from "../users/user_data.ts";
import { describeKeyUse } from "./bot_details.tsx";

const texts = {
  rotate: "Rotating creates and shows a new key. The current key stops working immediately.",
  others: "Only the bot’s owner can see the current key. You can replace it with a new one.",
  file: "The file contains the address of the organization, the bot’s email address and its key.",
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
    const { id, full_name: name } = await createBot(chat, caller, {
      ...values,
      payload_url: payload_url === "" ? undefined : payload_url,
    });
    return values.bot_type === 1
      ? {
        flash: t("Bot {name} created. Its API key is one step away.", { name }),
        to: `/admin/bots/${id}/key`,
      }
      : { flash: t("Bot {name} created.", { name }), to: `/admin/bots/${id}/webhook` };
  },
});

export const newBotPage = adminPage({
  path: "/admin/bots/new",
  find: { words: "add new integration incoming outgoing webhook" },
  title: "Create bot",
  lede: "A bot is a user for a program. You are its owner, and can give it another owner later.",
  above: (_, t) => [{ path: LIST, name: t("Bots") }],
  load: () => Promise.resolve({}),
  forms: [create],
  view: () => {
    const { t, text } = useTexts(BOT_KINDS);
    const names: Readonly<Record<number, string>> = text;
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

export function aboveBot({ bot }: { readonly bot: UserRecord }, t: Translate) {
  return [{ path: LIST, name: t("Bots") }, { path: `/admin/users/${bot.id}`, name: bot.full_name }];
}

/** Declares a form whose answer alone shows the key of a bot. */
function keyForm(action: "show" | "rotate", button: string, readKey: typeof getBotKey) {
  return form({
    action,
    button,
    run: async (request) => {
      const { chat, realm, caller, t } = request;
      const { id, delivery_email: email } = await getNamed(request);
      const { api_key: key } = await readKey(chat, caller, id);
      const draft = (
        <Panel title={t("API key")}>
          <p role="status">
            {action === "rotate" && `${t("This is the new key. The old key no longer works.")} `}
            {t("The key is not shown again when you leave this page.")}
          </p>
          <SecretField id="api_key" label={t("API key")} value={key} copy={t("Copy")}>
            <Link
              class="link inline-flex min-h-11 items-center"
              href={toApiKeyFileUrl({ email, key, site: realmUrl(chat, realm) })}
              download={API_KEY_FILE_NAME}
            >
              {t("Download configuration file")}
            </Link>
          </SecretField>
          <p class="text-small text-soft">{t(texts.file)}</p>
        </Panel>
      );
      return { flash: "", draft };
    },
  });
}

const showKey = keyForm("show", "Show API key", getBotKey);
const rotateKey = keyForm("rotate", "Rotate API key", regenerateBotKey);

/** The page that shows and rotates a bot's API key, which is rendered only in the answer to the form. */
export const botKeyPage = adminPage({
  path: "/admin/bots/[id]/key",
  load: async (request) => {
    const bot = await getNamed(request);
    return isBot(bot) && bot.is_active ? { bot, keyUse: await describeKeyUse(request, bot) } : null;
  },
  title: ({ bot: { full_name: name } }, t) => t("API key of {name}", { name }),
  lede: "A program with this key can do everything that the bot can. Keep it secret, like a password.",
  above: aboveBot,
  forms: [showKey, rotateKey],
  view: ({ data: { bot, keyUse } }) => {
    const { t, text, user } = useTexts(texts);
    const isOwn = bot.bot_owner_id === user.id;
    return useDraft(showKey) ?? useDraft(rotateKey) ?? (
      <>
        <p class="mb-5 text-soft">{keyUse}</p>
        {isOwn && (
          <div class="mb-7">
            <Form of={showKey} />
          </div>
        )}
        {canManageUser(user, bot) && (
          <section class="grid max-w-[58ch] gap-3">
            <p>{isOwn ? text.rotate : `${text.others} ${text.rotate}`}</p>
            {isOwn
              ? <ActionButton action={rotateKey.action}>{t("Rotate API key")}</ActionButton>
              : <Form of={rotateKey} />}
          </section>
        )}
      </>
    );
  },
});
