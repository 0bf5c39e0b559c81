import { quoteForShell } from "@/lib/core/task_command.ts";

/**
 * Programs that connect to an organization. The page "Connect an app" and the first part of docs/clients.md are
 * made of this list; `deno task clients` writes the latter.
 */

/** A part of a program's steps: a paragraph with code spans and links to documents, or code. */
type ProgramPart = string | {
  readonly code: string;
  readonly language: "sh" | "ini" | "python" | "js";
};

/** A program, or a kind of programs, that was tried. */
export interface ClientProgram {
  /** Unique; the anchor on the page. */
  readonly id: string;
  /** Kind of program; names of programs stand only in commands, as text for users names none. */
  readonly title: string;
  /** Versions that were tried; empty where the steps have them. */
  readonly version: string;
  readonly checked: keyof typeof CHECKED;
  /** Whether it needs the other names of fields in `COMPATIBILITY_ALIASES`. */
  readonly needsAliases: boolean;
  /** Steps with `{{address}}`, `{{email}}` for signing in, and `{{login}}` with `{{key}}` for programs. */
  readonly parts: readonly ProgramPart[];
  /** Features that do not work. */
  readonly limits: readonly string[];
}

/** Values of the placeholders in steps. */
export interface ConnectionValues {
  readonly address: string;
  readonly email: string;
  readonly login: string;
  readonly key: string;
}

/** Fields of which some programs need another name. */
export const ALIASED_FIELDS = ["service_feature_level", "service_merge_base", "service_version"] as const;
/** Stands for an API key that is not shown. */
export const KEY_PLACEHOLDER = "API_KEY";

/** Sentences about the check of a program. */
const CHECKED = {
  tests: "Run by Sotto's tests.",
  fields: "Not run: Sotto's tests check that answers and events have every field that it requires.",
  hand: "Tried by hand, not run by tests.",
};

const KEY_FILE: ProgramPart = {
  code: "[api]\nemail={{login}}\nkey={{key}}\nsite={{address}}\n",
  language: "ini",
};

/** The programs, those for people first. */
export const CLIENT_PROGRAMS: readonly ClientProgram[] = [
  {
    id: "mobile",
    title: "Mobile app",
    version: "30",
    checked: "fields",
    needsAliases: true,
    parts: [
      "Enter the address `{{address}}`, then the email address `{{email}}` and the password. The app goes on " +
      "with the address in `BASE_URL`, so phones must reach the server there.",
    ],
    limits: [
      "Push notifications, except with an app of your own build. Unencrypted ones, which older versions " +
      "request, are refused (`PUSH_SERVICE_NOT_CONFIGURED`). Encrypted ones need a " +
      "[bouncer](operating.md#push-notifications) with the credentials of the app's publisher.",
      "Opening a conversation in the browser, as Sotto has no web pages of conversations.",
    ],
  },
  {
    id: "terminal",
    title: "Terminal client",
    version: "0.7.0",
    checked: "tests",
    needsAliases: true,
    parts: [
      { code: "pip install --ignore-requires-python zulip-term==0.7.0\nzulip-term\n", language: "sh" },
      "`--ignore-requires-python` is needed for versions of Python after 3.10; tested with 3.11. At its first " +
      "start it asks for the address, the email address and the password, and stores the API key in " +
      "`~/zuliprc`. To use a bot or a key that exists, write the file yourself, readable by you alone, and " +
      "name it with `--config-file`:",
      KEY_FILE,
    ],
    limits: [
      "Opening a message in the browser, as Sotto has no web pages of conversations.",
      "The email address of a channel that `i` offers to copy: it is empty, as the server receives no mail.",
    ],
  },
  {
    id: "curl",
    title: "Command line with curl",
    version: "",
    checked: "tests",
    needsAliases: false,
    parts: [
      "Every endpoint takes the email address and the API key as HTTP Basic:",
      {
        code: "curl -u {{login}}:{{key}} {{address}}/api/v1/messages \\\n" +
          "  -d type=stream -d to=roses -d topic=pruning -d content=Hello\n",
        language: "sh",
      },
    ],
    limits: ["`--http2` to an address without TLS: see [HTTP/2 without TLS](clients.md#http2-without-tls)."],
  },
  {
    id: "python",
    title: "Python library",
    version: "0.9.1",
    checked: "tests",
    needsAliases: true,
    parts: [
      { code: "pip install zulip==0.9.1\n", language: "sh" },
      "The library, its commands and bots read the terminal client's file, here `zuliprc`, or one at `~/.zuliprc`:",
      {
        code: 'import zulip\n\nclient = zulip.Client(config_file="zuliprc")\n' +
          'client.send_message({"type": "stream", "to": "roses", "topic": "pruning", "content": "Hello"})\n',
        language: "python",
      },
      "A command sends to a topic or to users, and fails with the server's message:",
      {
        code: 'zulip-send --config-file zuliprc --stream roses --subject pruning --message "Hello"\n' +
          'zulip-send --config-file zuliprc bob@example.com --message "Hello"\n',
        language: "sh",
      },
    ],
    limits: ["`get_stream_email_address`, which is refused because the server receives no mail."],
  },
  {
    id: "javascript",
    title: "JavaScript library",
    version: "2.1.0",
    checked: "tests",
    needsAliases: false,
    parts: [
      { code: "npm install zulip-js@2.1.0\n", language: "sh" },
      {
        code: 'import zulip from "zulip-js";\n\nconst client = await zulip({\n  username: "{{login}}",\n' +
          '  apiKey: "{{key}}",\n  realm: "{{address}}",\n});\n' +
          "await client.messages.send({ " +
          'type: "stream", to: "roses", topic: "pruning", content: "Hello" });\n',
        language: "js",
      },
      "`password` in place of `apiKey` also works, or `zuliprc` alone with the path of the terminal client's file.",
    ],
    limits: [
      "`users.me.pointer` (`NOT_FOUND`). Use the anchor `first_unread`.",
      '`filters.retrieve` (`METHOD_NOT_ALLOWED`). Use `callEndpoint("/realm/linkifiers")`.',
      "`typing.send` to email addresses. Use lists of user ids.",
    ],
  },
  {
    id: "generated",
    title: "Generated clients",
    version: "",
    checked: "tests",
    needsAliases: false,
    parts: [
      "These generators read `/openapi.json`, and what they write compiles:",
      {
        code: "npx openapi-typescript@7.13.0 {{address}}/openapi.json --output sotto.ts\n" +
          "openapi-python-client generate --url {{address}}/openapi.json --meta none --output-path sotto_client\n" +
          "java -jar openapi-generator-cli-7.16.0.jar generate --input-spec {{address}}/openapi.json \\\n" +
          "  --generator-name go --additional-properties packageName=sotto,withGoMod=false --output sotto\n" +
          "java -jar openapi-generator-cli-7.16.0.jar generate --input-spec {{address}}/openapi.json \\\n" +
          "  --generator-name typescript-fetch --additional-properties supportsES6=true --output sotto\n",
        language: "sh",
      },
      "The Python generator is the package `openapi-python-client==0.29.1`. Set the address of the " +
      "organization as the base URL, and the account's address and API key as the user name and the password " +
      "of HTTP Basic. In Python:",
      {
        code: "from base64 import b64encode\nfrom sotto_client import AuthenticatedClient\n" +
          "from sotto_client.api.users import get_users_me\n\n" +
          'token = b64encode(b"{{login}}:{{key}}").decode()\n' +
          'client = AuthenticatedClient(base_url="{{address}}", token=token, prefix="Basic")\n' +
          "print(get_users_me.sync(client=client).full_name)\n",
        language: "python",
      },
      "A list, an object or a choice between types in a form or a query is a text: pass JSON, such as " +
      '`"[1, 2]"` as `subscribers` or `\'[{"operator": "topic", "operand": "roses"}]\'` as `narrow`. ' +
      "`contentSchema` describes it.",
    ],
    limits: [],
  },
  {
    id: "bots",
    title: "Bots",
    version: "0.9.1",
    checked: "tests",
    needsAliases: true,
    parts: [
      "Install `zulip_bots==0.9.1` and write the terminal client's file with the address and key of a " +
      "[generic bot](bots.md#generic-bots). The tests run `helloworld` and `incrementor`; 11 others were tried:",
      { code: "zulip-run-bot helloworld --config-file zuliprc\n", language: "sh" },
      "For [outgoing webhooks](bots.md#outgoing-webhooks), install `zulip_botserver==0.9.1`, add the bot's " +
      "`token` to the file, and start the server of bots; no test runs it. The bot's `payload_url` is " +
      "`http://127.0.0.1:5002/`:",
      { code: "zulip-botserver --config-file zuliprc --bot-name helloworld\n", language: "sh" },
    ],
    limits: [],
  },
  {
    id: "bridges",
    title: "Bridges to other chats",
    version: "",
    checked: "hand",
    needsAliases: true,
    parts: [
      'They have the settings `server`, `login` and `token`, such as `server="{{address}}"`, without ' +
      "`/api/v1`. They run as a generic bot that is subscribed to the channel.",
    ],
    limits: [],
  },
  {
    id: "others",
    title: "Other programs",
    version: "",
    checked: "hand",
    needsAliases: true,
    parts: [
      "Hooks for Git, Nagios, RSS feeds and logs: the Python library installs them in `share/zulip/integrations`. " +
      "Nagios names the file with `--config zuliprc`, RSS and logs read `~/.zuliprc`; Git has the lines " +
      "`ZULIP_SITE`, `ZULIP_USER` and `ZULIP_API_KEY` in `zulip_git_config.py`.",
      "Two libraries for Go, one for Java and five command-line tools: they read the file or take its three values.",
      "Resumable uploads with `tus-js-client` (the tests run 4.3.1) and with a library for another language: the " +
      "endpoint is `{{address}}/api/v1/tus`, with the header `Authorization: Basic …`.",
    ],
    limits: [
      "HTTP/2 of the Java library: it needs [HTTP/1.1](clients.md#http2-without-tls).",
      "A desktop app that shows the web pages of the server: these are Sotto's [pages](pages.md), which have no " +
      "conversations.",
    ],
  },
];

/** Returns how a program was checked, with its version. */
export function describeCheck({ version, checked }: ClientProgram): string {
  return version === "" ? CHECKED[checked] : `Version ${version}. ${CHECKED[checked]}`;
}

/** Returns a part of the steps with the values in place of the placeholders, quoted for its language. */
export function fillIn(text: string, values: ConnectionValues, language?: string): string {
  return text.replaceAll(/\{\{(address|email|login|key)\}\}/g, (_, name: keyof ConnectionValues) => {
    const value = values[name];
    if (language === "python" || language === "js") return JSON.stringify(value).slice(1, -1);
    return language === "sh" ? quoteForShell(value) : value;
  });
}

/** Account that a program signs in with. */
interface ApiKeyFile {
  readonly email: string;
  readonly key: string;
  /** Public address of the organization. */
  readonly site: string;
}

/** Name with which the file is downloaded. */
export const API_KEY_FILE_NAME = "sottorc";

/** Returns the configuration file that command-line clients and programs read. */
export function formatApiKeyFile({ email, key, site }: ApiKeyFile): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

/** Returns the file as a `data:` address to download. */
export function toApiKeyFileUrl(file: ApiKeyFile): string {
  return `data:application/octet-stream,${encodeURIComponent(formatApiKeyFile(file))}`;
}
