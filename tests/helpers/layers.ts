import { importsOf, resolveImport, type Source } from "./sources.ts";

/** Layers from the bottom up: a file may import those of its own layer's folder and of the layers below. */
export const LAYERS: readonly (readonly string[])[] = [
  ["lib/fresh/", "lib/core/"],
  ["lib/ui/"],
  ["lib/client/", "lib/store/", "lib/images/"],
  ["components/", "islands/"],
  ["lib/links/", "lib/mail/", "lib/push/", "lib/rate_limit_rules.ts"],
  ["lib/bouncer/", "lib/config.ts"],
  ["lib/chat/"],
  ["lib/services/"],
  ["lib/api/"],
  ["lib/pages/"],
  ["lib/admin/"],
  ["lib/server/", "lib/cli/", "lib/build/"],
  ["routes/"],
  ["main.ts"],
];
/** Starts the server that it has built, so it stands above main.ts. */
const DEVELOPMENT_SERVER = "lib/build/dev.ts";

/** Layer of a file: the longest folder or file of LAYERS that it belongs to, and its level from the bottom. */
export function layerOf(path: string): { folder: string; level: number } {
  if (path === DEVELOPMENT_SERVER) return { folder: path, level: LAYERS.length };
  const found =
    LAYERS.flatMap((folders, level) =>
      folders.filter((folder) => path.startsWith(folder)).map((folder) => ({ folder, level }))
    ).toSorted((one, other) => other.folder.length - one.folder.length)[0];
  if (found === undefined) throw new Error(`${path} belongs to no layer`);
  return found;
}

/**
 * Groups of lib/chat from the bottom up: a group imports only those above it in this list. The nouns of a group may
 * import each other, without a cycle. Each noun is the files and folders that are listed for it; a longer path wins.
 */
export const CHAT_GROUPS: readonly {
  readonly group: string;
  readonly nouns: Readonly<Record<string, readonly string[]>>;
}[] = [
  {
    group: "organization",
    nouns: {
      app: ["app.ts"],
      audit: ["audit/model.ts", "audit/store.ts"],
      check_index: ["check_index.ts"],
      collection: ["collection.ts"],
      config: ["config.ts"],
      emoji: ["emoji.ts"],
      events: ["events/model.ts", "events/send_events.ts"],
      model: [
        "channels/model/",
        "files/model.ts",
        "organizations/model.ts",
        "organizations/settings.ts",
        "permissions/model/",
        "user_groups/model/",
        "users/model.ts",
      ],
      organizations: ["organizations/"],
      params: ["params/"],
      pending_blobs: ["pending_blobs.ts"],
      permissions: ["permissions/"],
      pictures: ["pictures.ts"],
      rendering: ["rendering/"],
      statistics: ["statistics/"],
      user_groups: ["user_groups/"],
      users: ["users/events.ts", "users/store.ts"],
    },
  },
  {
    group: "people",
    nouns: {
      accounts: ["users/", "user_settings/change_account.ts", "user_settings/update_settings.ts"],
      activity: ["activity/"],
      alert_words: ["alert_words.ts"],
      auth: ["auth/"],
      bot_storage: ["bot_storage.ts"],
      bots: ["bots/"],
      erasures: ["erasures.ts"],
      muted_users: ["muted_users.ts"],
      navigation_views: ["navigation_views.ts"],
      presence: ["presence/"],
      profile_fields: ["profile_fields/"],
      put_user: ["put_user.ts"],
      user_settings: ["user_settings/"],
      user_status: ["user_status.ts"],
      webhooks: ["webhooks.ts"],
    },
  },
  {
    group: "channels",
    nouns: {
      channel_folders: ["channel_folders.ts"],
      channels: [""],
      topics: ["topics/"],
    },
  },
  {
    group: "messages",
    nouns: {
      downloads: ["downloads.ts"],
      drafts: ["drafts.ts"],
      files: ["files/"],
      linkifiers: ["linkifiers/"],
      messages: ["", "submessages/"],
      playgrounds: ["playgrounds.ts"],
      reminders: ["reminders.ts"],
      reports: ["reports.ts"],
      saved_snippets: ["saved_snippets.ts"],
      scheduled_messages: ["scheduled_messages/"],
      try_linkifier: ["try_linkifier.ts"],
      typing: ["typing.ts"],
    },
  },
  { group: "joining", nouns: { invites: ["invites/"], users: ["create_user.ts"] } },
  {
    group: "devices",
    nouns: {
      calls: ["calls.ts"],
      devices: [""],
      push_notifications: ["push_notifications/"],
      webhook_delivery: ["webhooks/"],
    },
  },
  {
    group: "register",
    nouns: {
      bulk_actions: ["bulk_actions/"],
      create_app: ["create_app.ts"],
      erase_accounts: ["erase_accounts.ts"],
      event_queues: ["events/"],
      exports: ["exports/"],
      register: [""],
      reversals: ["audit/"],
    },
  },
];

/** Noun of a file of lib/chat, as `group/noun`, and the level of its group from the bottom. */
export function nounOf(path: string): { noun: string; level: number } {
  const found =
    CHAT_GROUPS.flatMap(({ group, nouns }, level) =>
      Object.entries(nouns).flatMap(([noun, places]) =>
        places.filter((place) => path.startsWith(`lib/chat/${group}/${place}`))
          .map((place) => ({ noun: `${group}/${noun}`, level, length: place.length }))
      )
    ).toSorted((one, other) => other.length - one.length)[0];
  if (found === undefined) throw new Error(`${path} belongs to no group of the chat`);
  return found;
}

/** Lists the imports between nouns of lib/chat. */
export function listChatEdges(sources: readonly Source[]): ImportEdge[] {
  return listEdges(sources).filter((edge) =>
    edge.every((path) => path.startsWith("lib/chat/")) && nounOf(edge[0]).noun !== nounOf(edge[1]).noun
  );
}

/** Finds the nouns of lib/chat that import each other, directly or by way of others. */
export function findNounCycles(sources: readonly Source[]): string[][] {
  return findGroups(listChatEdges(sources).map(([from, to]) => [nounOf(from).noun, nounOf(to).noun]));
}

/** An import of one file by another. */
export type ImportEdge = readonly [from: string, to: string];

/** Lists every import between files of the project, of types too. */
export function listEdges(sources: readonly Source[]): ImportEdge[] {
  return sources.flatMap((source) =>
    importsOf(source).flatMap(({ specifier }): ImportEdge[] => {
      const target = resolveImport(source.path, specifier);
      return target === null || target === "deno.json" ? [] : [[source.path, target]];
    })
  );
}

/** Finds the groups of files that import each other, directly or by way of others. */
export function findCycles(sources: readonly Source[]): string[][] {
  return findGroups(listEdges(sources));
}

function findGroups(edges: readonly ImportEdge[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const [from, to] of edges) {
    targets.set(from, [...targets.get(from) ?? [], to]);
    if (!targets.has(to)) targets.set(to, []);
  }
  return new ComponentSearch(targets).run().filter((members) => members.length > 1);
}

/** Tarjan's search for strongly connected components. */
class ComponentSearch {
  readonly #order = new Map<string, number>();
  readonly #lowest = new Map<string, number>();
  readonly #open: string[] = [];
  readonly #components: string[][] = [];

  constructor(readonly targets: ReadonlyMap<string, readonly string[]>) {}

  run(): string[][] {
    for (const file of this.targets.keys()) {
      if (!this.#order.has(file)) this.#visit(file);
    }
    return this.#components;
  }

  #visit(file: string): void {
    const order = this.#order.size;
    this.#order.set(file, order);
    let lowest = order;
    this.#open.push(file);
    for (const target of this.targets.get(file) ?? []) {
      if (!this.#order.has(target)) this.#visit(target);
      else if (!this.#open.includes(target)) continue;
      lowest = Math.min(lowest, this.#lowest.get(target) ?? this.#order.get(target) ?? lowest);
    }
    this.#lowest.set(file, lowest);
    if (lowest === order) this.#components.push(this.#open.splice(this.#open.indexOf(file)));
  }
}
