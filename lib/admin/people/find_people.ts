import {
  type Directory,
  findAccessibleUser,
  readDirectory,
  readUser,
} from "@/lib/chat/organization/users/store.ts";
import { canSeeEmail, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { choiceFieldOf, linesOf, type PersonChoice, toPersonLine } from "@/lib/ui/permission_fields.ts";
import { splitList } from "@/lib/core/text.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { AdminRequest } from "../admin_request.ts";
import { FormRefusal } from "../admin_page.ts";
import type { FormFields } from "../form_fields.ts";
import { foldName, matchPeople } from "./search_people.ts";

/** Maximum number of users in a field. */
const MAX_NAMED_PEOPLE = 1000;
/** Maximum number of accounts that are offered for one name. */
const MAX_CHOICES = 8;
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

/** A name that means no account, or one of several. */
interface UnclearName {
  readonly name: string;
  /** Accounts with exactly this name. */
  readonly exact: readonly UserRecord[];
  readonly choices: readonly UserRecord[];
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
  const finder = await createFinder(request, text, field);
  const found = new Map<number, UserRecord>();
  const unclear: UnclearName[] = [];
  let count = 0;
  for (const line of finder.lines) {
    const whole = await finder.find(line);
    const names = whole.length > 0 ? [line] : splitList(line);
    count += names.length;
    if (count > MAX_NAMED_PEOPLE) throw tooManyPeople(request, field);
    for (const name of names) {
      // Each search compares all accounts.
      if (unclear.length === MAX_UNCLEAR) break;
      const exact = names.length === 1 && name === line ? whole : await finder.find(name);
      const choices = exact.length === 1 ? exact : await finder.match(name, exact);
      const meant = exact.length === 1 ? exact : choices.filter(({ id }) => chosen.includes(id));
      for (const user of meant) found.set(user.id, user);
      if (meant.length === 0) unclear.push({ name, exact, choices });
    }
  }
  if (unclear.length > 0) throw toRefusal(request, field, unclear);
  return [...found.values()];
}

/** Finds the accounts of one field. */
interface Finder {
  readonly lines: readonly string[];
  /** Returns the accounts that a name, address or id means exactly. */
  readonly find: (name: string) => Promise<readonly UserRecord[]>;
  /** Returns the accounts to choose from for a name that no or several accounts have. */
  readonly match: (name: string, exact: readonly UserRecord[]) => Promise<readonly UserRecord[]>;
}

async function createFinder(request: AdminRequest, text: string, field: string): Promise<Finder> {
  const { chat, realm, user: viewer } = request;
  const lines = linesOf(text);
  if (lines.length > MAX_NAMED_PEOPLE) throw tooManyPeople(request, field);
  const directory = await readDirectory(chat, realm.id);
  const book = lazily(() => toAddressBook(directory));
  return {
    lines,
    find: (name) => findOne(request, name, book),
    async match(name, exact) {
      if (exact.length > 0) return exact.slice(0, MAX_CHOICES);
      if (/^\d+$/.test(name)) return [];
      await yieldToEventLoop();
      return matchPeople({ users: directory.byName, viewer, text: name, limit: MAX_CHOICES });
    },
  };
}

function tooManyPeople({ messages, formatter }: AdminRequest, field: string): FormRefusal {
  const problem = formatter.t(messages.permissions.tooManyPeople, { count: MAX_NAMED_PEOPLE });
  return new FormRefusal({ [field]: problem });
}

/** Active accounts by their comparable names. */
type AddressBook = ReadonlyMap<string, readonly UserRecord[]>;

function toAddressBook({ byName }: Directory): AddressBook {
  return Map.groupBy(byName.filter(({ is_active }) => is_active), ({ full_name }) => foldName(full_name));
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Returns every active account that a name, address or id may mean. */
async function findOne(
  { chat, realm, caller }: AdminRequest,
  text: string,
  book: () => AddressBook,
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
  return book().get(foldName(text)) ?? [];
}

function toRefusal(request: AdminRequest, field: string, unclear: readonly UnclearName[]): FormRefusal {
  const choices = new Map(unclear.flatMap((one) => one.choices).map((user) => [user.id, user]));
  return new FormRefusal(
    { [field]: unclear.map((one) => toProblem(request, one)).join(" ") },
    { [field]: [...choices.values()].map((user) => toChoice(request, user)) },
  );
}

function toProblem({ t, messages, formatter }: AdminRequest, { name, exact, choices }: UnclearName): string {
  const text = messages.permissions;
  const missing = /^\d+$/.test(name)
    ? t("No active user has the ID {name}.")
    : t("No active user is named “{name}”.");
  const phrase = exact.length > 1
    ? text.severalPeople
    : choices.length > 0
    ? t("No active user is named “{name}”. Choose from the matches below.")
    : missing;
  return formatter.t(phrase, { name: name.slice(0, 100) });
}

function toChoice({ user: viewer }: AdminRequest, user: UserRecord): PersonChoice {
  const note = canSeeEmail(viewer, user) ? user.delivery_email : String(user.id);
  return { id: user.id, name: user.full_name, note };
}

/**
 * Returns the ids of the active groups that lines of the form `@name` name.
 * @throws FormRefusal at `field` for an unknown one.
 */
export async function findGroups(
  { t, readPermissions }: AdminRequest,
  lines: readonly string[],
  field: string,
): Promise<readonly number[]> {
  if (lines.length === 0) return [];
  const { groups } = await readPermissions();
  const inUse = [...groups.values()].filter(({ deactivated }) => !deactivated);
  return lines.map((line) => {
    const name = line.replace(/^@/, "").trim();
    const group = inUse.find((one) => one.name === name) ??
      inUse.find((one) => one.name.trim().toLowerCase() === name.toLowerCase());
    if (group === undefined) {
      throw new FormRefusal({
        [field]: t("No group is named “{name}”.", { name: name.slice(0, 100) }),
      });
    }
    return group.id;
  });
}
