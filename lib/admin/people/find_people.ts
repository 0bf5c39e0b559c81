import { findAccessibleUser, readDirectory, readUser } from "@/lib/chat/organization/users/store.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { choiceFieldOf, linesOf, toPersonLine } from "@/lib/ui/permission_fields.ts";
import { splitList } from "@/lib/core/text.ts";
import { derived } from "@/lib/store/table.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { AdminRequest } from "../admin_request.ts";
import { FormRefusal } from "../admin_page.ts";
import type { FormFields } from "../form_fields.ts";
import { addressFor } from "../shown_people.ts";
import { foldName, matchPeople, MAX_MATCHES } from "./search_people.ts";

/** Maximum number of users in a field. */
const MAX_NAMED_PEOPLE = 1000;
/** Maximum number of unclear names; those that follow are searched when the next form is sent. */
const MAX_UNCLEAR = 5;

/** A field for people as it was submitted. */
interface PeopleInput {
  /** Names, addresses or ids, one per line or comma-separated. */
  readonly text: string;
  /** Ids of the accounts chosen for names that several accounts match. */
  readonly chosen: readonly number[];
}

/** Reads a field for people from a form. */
export function readPeopleInput(fields: FormFields, name: string): PeopleInput {
  return { text: fields.text(name), chosen: fields.ints(choiceFieldOf(name)) };
}

/** Formats users for a field: one line each with name and id, so that each can be found again. */
export function toPeopleText(users: readonly Pick<UserRecord, "id" | "full_name">[]): string {
  return users.map(toPersonLine).join("\n");
}

/**
 * Returns the active accounts, bots included, that a field names; each once, in order. For a part of a name, the
 * accounts that match it and that were chosen.
 * @throws FormRefusal at `field` for names that mean no account, or one of several: with those to choose from.
 */
export async function findPeople(
  request: AdminRequest,
  { text, chosen }: PeopleInput,
  field: string,
): Promise<readonly UserRecord[]> {
  const { chat, realm } = request;
  const lines = linesOf(text);
  if (lines.length > MAX_NAMED_PEOPLE) throw tooManyPeople(request, field);
  const { byName: users } = await readDirectory(chat, realm.id);
  const find = (name: string) => findOne(request, name, users);
  const found = new Map<number, UserRecord>();
  const offered = new Map<number, UserRecord>();
  const problems: string[] = [];
  let count = 0;
  for (const line of lines) {
    const whole = await find(line);
    const names = whole.length > 0 ? [line] : splitList(line);
    count += names.length;
    if (count > MAX_NAMED_PEOPLE) throw tooManyPeople(request, field);
    for (const name of names) {
      // Each search compares all accounts.
      if (problems.length === MAX_UNCLEAR) break;
      const exact = names.length === 1 && name === line ? whole : await find(name);
      if (exact.length === 0) await yieldToEventLoop();
      const choices = exact.length > 0
        ? exact.slice(0, MAX_MATCHES)
        : /^\d+$/.test(name)
        ? []
        : matchPeople(request, users, name);
      const meant = exact.length === 1 ? exact : choices.filter(({ id }) => chosen.includes(id));
      for (const user of meant) found.set(user.id, user);
      if (meant.length > 0) continue;
      problems.push(
        toProblem(request, name, { hasSeveral: exact.length > 1, hasChoices: choices.length > 0 }),
      );
      for (const user of choices) offered.set(user.id, user);
    }
  }
  if (problems.length === 0) return [...found.values()];
  const choices = Array.from(offered.values(), (user) => ({
    ...{ id: user.id, name: user.full_name },
    note: addressFor(request.user, user) ?? String(user.id),
  }));
  throw new FormRefusal({ [field]: problems.join(" ") }, { [field]: choices });
}

function tooManyPeople({ t }: AdminRequest, field: string): FormRefusal {
  return new FormRefusal({ [field]: t("Enter no more than {count} people.", { count: MAX_NAMED_PEOPLE }) });
}

const toAddressBook = derived((users: readonly UserRecord[]) =>
  Map.groupBy(users.filter(({ is_active }) => is_active), ({ full_name }) => foldName(full_name))
);

/** Returns every active account that a name, address or id may mean. */
async function findOne(
  { chat, realm, caller }: AdminRequest,
  text: string,
  users: readonly UserRecord[],
): Promise<readonly UserRecord[]> {
  const id = /^(?:(.*)\()?(\d{1,15})\)?$/.exec(text);
  if (id !== null) {
    const [, name, digits] = id;
    const user = await readUser(chat, realm.id, Number(digits));
    const isMeant = user !== null && (name === undefined || foldName(name) === foldName(user.full_name));
    if (isMeant) return user.is_active && user.is_system_bot !== true ? [user] : [];
  }
  if (text.includes("@")) {
    const user = await findAccessibleUser(chat, caller, text);
    if (user?.is_active === true && user.is_system_bot !== true) return [user];
  }
  return toAddressBook(users).get(foldName(text)) ?? [];
}

function toProblem(
  { t }: AdminRequest,
  name: string,
  { hasSeveral, hasChoices }: { hasSeveral: boolean; hasChoices: boolean },
): string {
  const phrase = hasSeveral
    ? "Several users are named “{name}”. Choose below, or enter the email address or user ID."
    : hasChoices
    ? "No active user is named “{name}”. Choose from the matches below."
    : /^\d+$/.test(name)
    ? "No active user has the ID {name}."
    : "No active user is named “{name}”.";
  return t(phrase, { name: name.slice(0, 100) });
}

/**
 * Returns the ids of the active groups that lines of the form `@name` name, each once.
 * @throws FormRefusal at `field` for an unknown one, and for too many lines.
 */
export async function findGroups(
  request: AdminRequest,
  lines: readonly string[],
  field: string,
): Promise<readonly number[]> {
  if (lines.length === 0) return [];
  if (lines.length > MAX_NAMED_PEOPLE) throw tooManyPeople(request, field);
  const { groups } = await request.readPermissions();
  const inUse = [...groups.values()].filter(({ deactivated }) => !deactivated);
  const ids = lines.map((line) => {
    const name = line.replace(/^@/, "").trim();
    const group = inUse.find((one) => one.name === name) ??
      inUse.find((one) => one.name.trim().toLowerCase() === name.toLowerCase());
    if (group === undefined) {
      throw new FormRefusal({
        [field]: request.t("No group is named “{name}”.", { name: name.slice(0, 100) }),
      });
    }
    return group.id;
  });
  return [...new Set(ids)];
}
