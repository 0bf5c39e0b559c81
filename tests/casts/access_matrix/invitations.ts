import { createInviteLink, inviteAddress } from "@/tests/casts/invites_cast.ts";
import type { TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { type AccountName, ACCOUNTS } from "./callers.ts";
import { type MatrixOrganization, ownTarget, type Target } from "./organization.ts";

/** Accounts that may invite. */
const INVITERS: readonly AccountName[] = ["member", "moderator", "admin", "owner", "deactivated"];
/** Ids of links start behind those of invitations by email, so that no id names one of each kind. */
const INVITATIONS = INVITERS.length + 3;

/** Creates invitations by email and reusable links. */
export async function createInvitations(org: MatrixOrganization) {
  const { chat, accounts, keeper } = org;
  const invite = async (by: TestUser, email: string, params: TestParams = {}): Promise<Target> => {
    return { id: await inviteAddress(chat, by, email, params), name: email };
  };
  const link = async (by: TestUser, params: TestParams = {}): Promise<Target> => {
    const id = await createInviteLink(chat, by, params);
    return { id, name: await readLink(org, by, id) };
  };
  const [emails, links] = [new Map<string, Target>(), new Map<string, Target>()];
  for (let count = 0; count < INVITATIONS; count++) await revoke(org, await link(keeper));
  for (const name of ACCOUNTS.filter((name) => INVITERS.includes(name))) {
    emails.set(name, await invite(accounts[name], `own.${name}@rose.example`));
    links.set(name, await link(accounts[name]));
  }
  const others = await invite(keeper, "others@rose.example");
  const otherLink = await link(keeper);
  const revoked = await link(keeper);
  await revoke(org, revoked);
  return {
    invite: {
      own: ownTarget(emails, others),
      others,
      "to-owner": await invite(await chat.add("founder", 100), "owner@rose.example", { invite_as: 100 }),
      link: otherLink,
      foreign: await invite(chat.outsider, "foreign@rose.example"),
    },
    link: {
      own: ownTarget(links, otherLink),
      others: otherLink,
      "to-owner": await link(await chat.add("second", 100), { invite_as: 100 }),
      revoked,
      foreign: await link(chat.outsider),
    },
  };
}

/** Returns the address of a reusable link. */
async function readLink({ chat }: MatrixOrganization, by: TestUser, id: number): Promise<string> {
  const invites: { id: number; is_multiuse: boolean; link_url: string }[] =
    (await succeed(chat, by, "GET /invites"))["invites"];
  return invites.find((item) => item.is_multiuse && item.id === id)?.link_url ?? "";
}

async function revoke({ chat, keeper }: MatrixOrganization, { id }: Target): Promise<void> {
  await succeed(chat, keeper, `DELETE /invites/multiuse/${id}`);
}
