import CopyText from "@/islands/admin/stats/CopyText.tsx";
import type { ConnectData } from "@/lib/pages/connect_page.ts";
import { AccountSection } from "../account/AccountSection.tsx";
import { AccountShell } from "../account/AccountShell.tsx";
import { ApiKeySection } from "../account/ApiKeySection.tsx";
import { FormNotice } from "../account/FormNotice.tsx";
import { Link } from "../Link.tsx";
import { PageTitle } from "../PageTitle.tsx";
import { QrCode } from "../QrCode.tsx";
import { FirstMessage } from "./FirstMessage.tsx";
import { ProgramList } from "./ProgramList.tsx";

const MESSAGE_FIELDS = ["channel", "topic", "content"];

/** Renders the page that connects an app: address, first message, key, and the steps of each program. */
export function ConnectPage(data: ConnectData) {
  const { organization, user, values, apiKey, isWelcome, problems, notice } = data;
  const isRefused = Object.keys(problems).length > 0;
  const title = isWelcome ? `Welcome to ${organization}` : "Connect an app";
  return (
    <AccountShell
      title={isRefused ? "Not sent" : title}
      current="/connect"
      userName={user.fullName}
      organization={organization}
      adminPath={data.adminPath}
    >
      <PageTitle title={title}>
        {isWelcome
          ? "Your account is ready. Connect an app, or send your first message from here."
          : `Use ${organization} from a phone, a terminal or your own programs.`}
      </PageTitle>
      {notice !== null && (
        <div class="mt-6">
          <FormNotice kind="good" text={notice} takesFocus={apiKey.shown === null} />
        </div>
      )}
      <div class="mt-9">
        <AddressSection {...data} />
        <FirstMessage {...data} problems={pick(problems, MESSAGE_FIELDS)} />
        <ApiKeySection {...apiKey} action="/connect" problems={pick(problems, ["password"])} />
        <ProgramList values={values} hasAliases={data.hasAliases} />
      </div>
    </AccountShell>
  );
}

function pick(problems: ConnectData["problems"], names: readonly string[]): ConnectData["problems"] {
  return Object.fromEntries(Object.entries(problems).filter(([name]) => names.includes(name)));
}

function AddressSection({ organization, values: { address, email }, isLocal, user }: ConnectData) {
  return (
    <AccountSection
      id="address"
      title="Address"
      text="An app first asks for the address of your organization, then for your email address and password."
    >
      <div class="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div class="grid min-w-0 flex-[1_1_14rem] gap-3">
          <code class="font-mono text-[0.95rem] leading-7 break-all select-all">{address}</code>
          <CopyText text={address} label="Copy address" done="Address copied" />
          <p class="text-small text-soft">
            You sign in with <span class="break-words text-ink">{email}</span>.
          </p>
          {isLocal && (
            <p class="text-small font-medium text-accent">
              This address works on this computer only. {user.role <= 200
                ? (
                  <>
                    Set <code>BASE_URL</code> to one that other devices reach:{" "}
                    <Link class="link" href="/docs/configuration#server">Configuration</Link>.
                  </>
                )
                : "Ask an administrator for one that your other devices reach."}
            </p>
          )}
        </div>
        <QrCode text={address} label={`QR code of the address of ${organization}`} />
      </div>
    </AccountSection>
  );
}
